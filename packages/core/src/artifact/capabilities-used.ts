import type { Artifact, HookEvent, RuleMode } from './types.ts';

/**
 * Feature of an artifact that harnesses may support, in the terms of the capability matrix. `ExecutableCapability` is
 * different: code that runs.
 */
export type UsedCapability =
  | `type:${'skill' | 'agent' | 'context' | 'command' | 'mcp-server'}`
  | `field:${'description' | 'mcpServers' | 'delegates_to' | 'requiresApproval' | 'sandbox_profile'}`
  | `rule_mode:${RuleMode}`
  | `hook_event:${HookEvent}`;

/**
 * Lists the features that an artifact uses. A rule is listed by its mode and a hook by its event; extension types have
 * none.
 */
export function capabilitiesUsed(artifact: Artifact): UsedCapability[] {
  const { fields } = artifact;
  const used = capabilitiesOfType(artifact);
  if (isFilled(fields.mcpServers)) used.push('field:mcpServers');
  if (isFilled(fields.delegates_to)) used.push('field:delegates_to');
  if (isFilled(fields.requiresApproval)) used.push('field:requiresApproval');
  if (fields.sandbox_profile !== undefined) used.push('field:sandbox_profile');
  return used;
}

function capabilitiesOfType(artifact: Artifact): UsedCapability[] {
  const { fields } = artifact;
  switch (artifact.type) {
    case 'skill':
    case 'context':
    case 'command':
    case 'mcp-server':
      return [`type:${artifact.type}`];
    case 'agent':
      return artifact.description === '' ? ['type:agent'] : ['type:agent', 'field:description'];
    case 'rule':
      return [`rule_mode:${fields.rule_mode ?? 'always'}`];
    case 'hook':
      return fields.hook_event === undefined ? [] : [`hook_event:${fields.hook_event}`];
    default:
      return [];
  }
}

function isFilled(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}
