import { HOOK_EVENTS, RULE_MODES } from '@catalog/core/artifact/types';
import type {
  Capability,
  Destination,
  HarnessAdapter,
  McpConfigFile,
  PlacedType,
  Refused,
  Support,
} from './adapter.ts';
import type { ListingBudget } from './budget/listing-budget.ts';
import type { NativeHook } from './hook-event-table.ts';
import type { System } from './mcp-registration.ts';

export interface HarnessDescription {
  id: string;
  summary: string;
  label: string;
  detect: readonly string[];
  project: ScopeDescription;
  /** Description of `--scope user`; undefined if it is the same. */
  user: ScopeDescription | undefined;
  mcp_config:
    | { project?: McpConfigFile; user?: McpConfigFile | Readonly<Record<System, McpConfigFile>> }
    | Refused;
  marketplace: { format: string } | Refused;
  budget: ListingBudget | undefined;
}

export interface ScopeDescription {
  destinations: Readonly<Partial<Record<PlacedType, Destination>>>;
  skill_folders: readonly string[];
  cells: CellDescription[];
}

export interface CellDescription {
  capability: Capability;
  support: Support;
  native?: NativeHook;
  /** Reason, as a sentence without a period. */
  reason?: string;
}

export const CAPABILITIES: readonly Capability[] = [
  'type:skill',
  'type:agent',
  'type:command',
  'type:context',
  'type:mcp-server',
  ...RULE_MODES.map((mode) => `rule_mode:${mode}` as const),
  ...HOOK_EVENTS.map((event) => `hook_event:${event}` as const),
  'field:description',
  'field:mcpServers',
  'field:delegates_to',
  'field:requiresApproval',
  'field:sandbox_profile',
];

export function describeHarness(adapter: HarnessAdapter): HarnessDescription {
  const { id, summary, label, detect, user, mcp_config, marketplace, budget } = adapter;
  return {
    id,
    summary,
    label,
    detect,
    project: describeScope(adapter),
    user: user === undefined ? undefined : describeScope(user),
    mcp_config:
      'refused' in mcp_config
        ? { refused: mcp_config.refused }
        : {
            ...(mcp_config.project === undefined ? {} : { project: mcp_config.project }),
            ...(mcp_config.user === undefined ? {} : { user: mcp_config.user }),
          },
    marketplace: describeMarketplace(marketplace),
    budget,
  };
}

export interface McpConfigPath {
  path: string;
  system?: string;
}

/** Returns the paths of the MCP configuration, project first. */
export function mcpConfigPaths({
  project,
  user,
}: Exclude<HarnessDescription['mcp_config'], Refused>): McpConfigPath[] {
  const own =
    user === undefined
      ? []
      : 'path' in user
        ? [{ path: `~/${user.path}` }]
        : SYSTEMS.map(([id, system]) => ({ path: `~/${user[id].path}`, system }));
  return [...(project === undefined ? [] : [{ path: project.path }]), ...own];
}

const SYSTEMS = [
  ['linux', 'Linux'],
  ['darwin', 'macOS'],
  ['win32', 'Windows'],
] as const;

function describeScope(adapter: HarnessAdapter): ScopeDescription {
  const { destinations, skill_folders } = adapter;
  const cells = CAPABILITIES.map((capability) => describeCell(adapter, capability));
  return { destinations, skill_folders, cells };
}

function describeCell(
  { capabilities, fallbacks, refusals, hook_events }: HarnessAdapter,
  capability: Capability,
): CellDescription {
  const event = HOOK_EVENTS.find((one) => capability === `hook_event:${one}`);
  const native = event === undefined ? undefined : hook_events[event];
  const reason = fallbacks[capability] ?? refusals[capability];
  return {
    capability,
    support: capabilities[capability],
    ...(native === undefined ? {} : { native }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function describeMarketplace(
  marketplace: HarnessAdapter['marketplace'],
): HarnessDescription['marketplace'] {
  if (marketplace === undefined) return { refused: 'its product imports no marketplace' };
  return 'refused' in marketplace ? { refused: marketplace.refused } : { format: marketplace.id };
}

export interface SharedReason {
  names: string[];
  reason: string;
}

/** Returns the reasons that several features share, ignoring their names. */
export function sharedReasons(
  cells: readonly CellDescription[],
  support: Exclude<Support, 'native'>,
): SharedReason[] {
  const groups = Map.groupBy(
    cells.filter((cell) => cell.support === support),
    generalReason,
  );
  return Array.from(groups, ([general, group]) => {
    const [first, second] = group;
    const names = capabilityNames(group.map(({ capability }) => capability));
    return { names, reason: second === undefined ? (first?.reason ?? '') : general };
  });
}

function generalReason({ capability, reason = '' }: CellDescription): string {
  const row = capability.slice(capability.indexOf(':') + 1);
  return reason.replace(` for ${row}`, ' for these').replace(` on ${row}`, ' on these');
}

/** Returns names of features: all modes together are a rule, all events a hook. */
export function capabilityNames(capabilities: readonly Capability[]): string[] {
  const left = new Set(capabilities);
  const names: string[] = [];
  const wholes = [
    { name: 'rule', parts: RULE_MODES.map((mode): Capability => `rule_mode:${mode}`) },
    { name: 'hook', parts: HOOK_EVENTS.map((event): Capability => `hook_event:${event}`) },
  ];
  for (const { name, parts } of wholes) {
    if (!parts.every((part) => left.has(part))) continue;
    for (const part of parts) left.delete(part);
    names.push(name);
  }
  if (left.has('type:agent')) left.delete('field:description');
  const types = [...left].filter((capability) => capability.startsWith('type:')).map(nameOf);
  const others = [...left].filter((capability) => !capability.startsWith('type:')).map(nameOf);
  return [...types, ...names, ...others];
}

function nameOf(capability: Capability): string {
  const [group = '', row = ''] = capability.split(':');
  return group === 'type' || group === 'hook_event' ? row : `${group} ${row}`;
}
