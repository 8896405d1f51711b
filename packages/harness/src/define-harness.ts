import { capabilitiesUsed } from '@catalog/core/artifact/capabilities-used';
import {
  HOOK_EVENTS,
  RULE_MODES,
  type Artifact,
  type HookEvent,
} from '@catalog/core/artifact/types';
import type {
  ArtifactWarning,
  Capability,
  CapabilityTable,
  HarnessAdapter,
  McpConfig,
  Place,
  Refused,
  Support,
} from './adapter.ts';
import type { AdoptReaders } from './adopt/adopt-source.ts';
import { adoptSourcesOf } from './adopt/sources-of.ts';
import { capabilityTable } from './capability-table.ts';
import { destinationsOf } from './destinations.ts';
import type { HookEventTable } from './hook-event-table.ts';
import type {
  Fallback,
  HarnessDeclaration,
  HookEntryLanding,
  HookFileLanding,
  LandingField,
  Landings,
  OfAgents,
} from './landing.ts';
import { ownedPlacesOf } from './owned-places.ts';
import { argumentWarning } from './place/command-arguments.ts';
import { withContextPointer } from './place/context-pointer.ts';
import { keyWarnings } from './place/authored-keys.ts';
import { placeContextAt } from './place/place-context.ts';
import { placeDocument } from './place/place-document.ts';
import { placeHook } from './place/place-hook.ts';
import { placeMcpServer } from './place/place-mcp-server.ts';
import { placeRule } from './place/place-rule.ts';
import { placeSkill } from './place/place-skill.ts';
import { limitWarnings, withLimits } from './place/server-limits.ts';
import { resourcesFolder, CONTEXT_FOLDER } from './place/write-files.ts';
import { matcherWarning } from './shim/hook-matcher.ts';

export function defineHarness(declaration: HarnessDeclaration): HarnessAdapter {
  const {
    id,
    summary,
    label = id,
    revision,
    detect,
    marketplace,
    budget,
    also_reads,
    rules_import,
    rules_limit,
    reads_settings,
    adopt,
    former = [],
    user,
    user_on,
  } = declaration;
  const about = {
    id,
    summary,
    label,
    revision,
    detect,
    ...(marketplace === undefined ? {} : { marketplace }),
    ...(budget === undefined ? {} : { budget }),
    ...(also_reads === undefined ? {} : { also_reads }),
    ...(rules_limit === undefined ? {} : { rules_limit }),
    ...(reads_settings === undefined ? {} : { reads_settings }),
  };
  const at = (landings: Partial<Landings>, root: '' | '~/' = '~/'): HarnessAdapter => ({
    ...about,
    ...land({ ...declaration, ...landings }, adopt, root),
    ownedPlaces: () => [...ownedPlacesOf({ ...declaration, ...landings }, rules_import), ...former],
  });
  return {
    ...at({}, ''),
    ...(rules_import === undefined ? {} : { rules_import }),
    ...(user === undefined ? {} : { user: at(user) }),
    ...(user_on === undefined
      ? {}
      : { user_on: { darwin: at(user_on.darwin), win32: at(user_on.win32) } }),
  };
}

type Landed = Omit<
  HarnessAdapter,
  | 'id'
  | 'summary'
  | 'label'
  | 'revision'
  | 'detect'
  | 'marketplace'
  | 'budget'
  | 'ownedPlaces'
  | 'user'
  | 'user_on'
>;

function land(declared: Landings, readers: AdoptReaders | undefined, root: '' | '~/'): Landed {
  const { mcp_server: servers } = declared;
  const landings = isRefused(servers) ? declared : { ...declared, mcp_server: withLimits(servers) };
  const { skill, agent, command, rule, hook, mcp_server, context } = landings;
  const cells = cellsOf(landings);
  return {
    capabilities: cells.table,
    fallbacks: cells.fallbacks,
    refusals: cells.refusals,
    warnings: (artifact) => warningsOf(landings, artifact),
    hook_events: isRefused(hook) ? NO_EVENTS : hook.events,
    skill_folders: isRefused(skill) ? [] : skill.folders,
    ...(isRefused(skill) || skill.deduplicates === undefined
      ? {}
      : { deduplicates_skills: skill.deduplicates }),
    place: {
      skill: isRefused(skill) ? refuse(skill) : placeSkill(skill),
      agent: isRefused(agent) ? refuse(agent) : placeDocument(agent),
      command: isRefused(command) ? refuse(command) : placeDocument(command),
      rule: isRefused(rule) ? refuse(rule) : placeRule(rule, readers),
      hook: isRefused(hook) ? refuse(hook) : placeHook(hook),
      'mcp-server': isRefused(mcp_server) ? refuse(mcp_server) : placeMcpServer(mcp_server),
      context: context === undefined ? contextPlace(landings, readers, root) : refuse(context),
      extension: placeExtension(landings),
    },
    destinations: destinationsOf(landings),
    mcp_config: mcpConfigOf(landings),
    adopt: adoptSourcesOf(landings, readers),
  };
}

/** Returns the place of context. For products that do not load its folder, a rule refers to the file. */
function contextPlace(
  { rule, context_pointer }: Landings,
  readers: AdoptReaders | undefined,
  root: '' | '~/',
): Place {
  const place = placeContextAt(CONTEXT_FOLDER);
  if (context_pointer !== true || isRefused(rule)) return place;
  return withContextPointer(place, placeRule(rule, readers), root);
}

function warningsOf(landings: Landings, artifact: Artifact): ArtifactWarning[] {
  return [
    ...placeholderWarnings(landings, artifact),
    ...lostKeys(landings, artifact),
    ...fieldWarnings(landings, artifact),
    ...matcherWarnings(landings, artifact),
  ];
}

function matcherWarnings({ hook }: Landings, { type, fields }: Artifact): ArtifactWarning[] {
  const { hook_event: event, hook_matcher } = fields;
  if (type !== 'hook' || isRefused(hook) || event === undefined) return [];
  const native = hook.events[event];
  const matching = hook.shim?.matching;
  if (native === undefined || matching === undefined) return [];
  const reason = matcherWarning(matching, event, native, hook_matcher);
  return reason === undefined ? [] : [{ capability: `hook_event:${event}`, reason }];
}

function placeholderWarnings({ command }: Landings, artifact: Artifact): ArtifactWarning[] {
  if (artifact.type !== 'command' || isRefused(command)) return [];
  const { arguments: form } = command;
  const reason = form === undefined ? undefined : argumentWarning(artifact, form);
  return reason === undefined ? [] : [{ capability: 'type:command', reason }];
}

function lostKeys(landings: Landings, artifact: Artifact): ArtifactWarning[] {
  const { type } = artifact;
  switch (type) {
    case 'agent':
    case 'command': {
      const landing = landings[type];
      if (isRefused(landing)) return [];
      const reason = landing.warn?.(artifact);
      return [
        ...(reason === undefined ? [] : [{ capability: `type:${type}` as const, reason }]),
        ...keyWarnings(type, landing, artifact),
      ];
    }
    case 'skill': {
      const { skill } = landings;
      if (isRefused(skill)) return [];
      const reason = skill.warn?.(artifact);
      return [
        ...(reason === undefined ? [] : [{ capability: 'type:skill' as const, reason }]),
        ...keyWarnings(type, { render: placeSkill }, artifact),
      ];
    }
    case 'rule':
      return isRefused(landings.rule) ? [] : keyWarnings(type, { render: placeRule }, artifact);
    case 'hook':
      return isRefused(landings.hook)
        ? []
        : [
            ...timeoutWarnings(landings.hook, artifact),
            ...keyWarnings(type, { render: placeHook }, artifact),
          ];
    case 'mcp-server':
      return isRefused(landings.mcp_server)
        ? []
        : [
            ...limitWarnings(artifact.fields, landings.mcp_server.limits),
            ...keyWarnings(type, { render: placeMcpServer }, artifact),
          ];
    default:
      return [];
  }
}

function timeoutWarnings(
  hook: HookEntryLanding | HookFileLanding,
  { fields: { hook_event, hook_timeout } }: Artifact,
): ArtifactWarning[] {
  if (hook_event === undefined || hook_timeout === undefined) return [];
  const isWritten = hook.into === 'file' || hook.without_timeout !== true;
  if (isWritten || hook.events[hook_event] === undefined) return [];
  const reason = '`hook_timeout` is not written, so the time limit of the harness applies';
  return [{ capability: `hook_event:${hook_event}`, reason }];
}

/** Returns warnings about fields that only agents support, or that the format loses. */
function fieldWarnings(landings: Landings, artifact: Artifact): ArtifactWarning[] {
  const { fields } = landings;
  if (typeof fields === 'string') {
    return fields === 'native'
      ? usedFields(artifact)
          .filter((field) => !isWritten(landings, artifact, field))
          .map((field) => ({
            capability: `field:${field}`,
            reason: `\`${field}\` is not written, so nothing acts on it`,
          }))
      : [];
  }
  if (artifact.type === 'agent') return [];
  return usedFields(artifact).flatMap((field): ArtifactWarning[] => {
    const support = fields[field];
    return isOfAgents(support) ? [{ capability: `field:${field}`, reason: support.of_agents }] : [];
  });
}

function usedFields(artifact: Artifact): LandingField[] {
  const used = new Set(capabilitiesUsed(artifact));
  return FIELDS.filter((field) => used.has(`field:${field}`));
}

/** Returns false for fields that a harness does not get, unless it reads the manifest as authored. */
function isWritten(landings: Landings, { type }: Artifact, field: LandingField): boolean {
  switch (type) {
    case 'rule':
    case 'hook':
    case 'mcp-server':
      return false;
    case 'skill':
      return (
        field === 'sandbox_profile' &&
        !isRefused(landings.skill) &&
        landings.skill.derive_compatibility === true
      );
    case 'agent':
    case 'command':
      return isRefused(landings[type]) || landings[type].render === undefined;
    default:
      return true;
  }
}

function isOfAgents(support: Support | Fallback | OfAgents): support is OfAgents {
  return typeof support === 'object' && 'of_agents' in support;
}

/** Returns the place of extension types, which are rejected if context is. */
function placeExtension({ context, extension = resourcesFolder('{id}') }: Landings): Place {
  if (context !== undefined) return refuse(context);
  return typeof extension === 'string' ? placeContextAt(extension) : refuse(extension);
}

/**
 * Returns the place of catalog's own server, that of MCP servers. If servers are rejected, the advice for artifacts is
 * removed.
 */
function mcpConfigOf({ mcp_config, mcp_server }: Landings): McpConfig | Refused {
  if (mcp_config !== undefined) return mcp_config;
  if (!isRefused(mcp_server)) return mcp_server;
  return { refused: mcp_server.refused.replace(LEAVE_OUT, '') };
}

const LEAVE_OUT = /[;,] (?:or )?leave \S+ out with target_harnesses$/;

function isRefused(landing: object): landing is Refused {
  return 'refused' in landing;
}

function refuse({ refused }: Refused): Place {
  return () => ({ untranslatable: refused });
}

interface Cells {
  table: CapabilityTable;
  fallbacks: Partial<Record<Capability, string>>;
  refusals: Partial<Record<Capability, string>>;
}

function cellsOf(landings: Landings): Cells {
  const cells: Cells = { table: createUnsupportedTable(), fallbacks: {}, refusals: {} };
  const set = (row: Capability, support: 'native' | Fallback | Refused): void => {
    if (support === 'native') {
      cells.table = { ...cells.table, [row]: 'native' };
    } else if ('fallback' in support) {
      cells.table = { ...cells.table, [row]: 'fallback' };
      cells.fallbacks[row] = support.fallback;
    } else {
      cells.refusals[row] = support.refused;
    }
  };
  const { skill, agent, command, rule, hook, mcp_server, context } = landings;
  set('type:skill', isRefused(skill) ? skill : 'native');
  set('type:agent', isRefused(agent) ? agent : 'native');
  set('field:description', isRefused(agent) ? agent : 'native');
  set('type:command', isRefused(command) ? command : 'native');
  set('type:mcp-server', isRefused(mcp_server) ? mcp_server : 'native');
  set('type:context', context ?? contextSupport(landings));
  for (const field of FIELDS) set(`field:${field}`, fieldSupport(landings.fields, field));
  for (const mode of RULE_MODES) {
    set(`rule_mode:${mode}`, isRefused(rule) ? rule : rule.modes[mode]);
  }
  for (const event of HOOK_EVENTS) set(`hook_event:${event}`, eventSupport(hook, event));
  return cells;
}

/**
 * Returns the support of context. A product that needs a rule for it but rejects rules hides the file from the model.
 */
function contextSupport({ rule, context_pointer }: Landings): 'native' | Fallback {
  return context_pointer === true && isRefused(rule)
    ? { fallback: 'the file is written, but the model does not learn of it' }
    : 'native';
}

function createUnsupportedTable(): CapabilityTable {
  return capabilityTable({
    types: 'unsupported',
    fields: 'unsupported',
    rule_modes: 'unsupported',
    hook_events: 'unsupported',
  });
}

const FIELDS = ['mcpServers', 'delegates_to', 'requiresApproval', 'sandbox_profile'] as const;

function fieldSupport(
  fields: Landings['fields'],
  field: LandingField,
): 'native' | Fallback | Refused {
  const support = typeof fields === 'string' ? fields : fields[field];
  if (isOfAgents(support)) return 'native';
  if (typeof support === 'object') return support;
  if (support === 'fallback') return { fallback: `${field} is written, and nothing acts on it` };
  return support === 'native' ? 'native' : { refused: `the harness ignores ${field}` };
}

function eventSupport(hook: Landings['hook'], event: HookEvent): 'native' | Fallback | Refused {
  if (isRefused(hook)) return hook;
  const native = hook.events[event];
  if (native?.fallback !== undefined) return { fallback: native.fallback };
  if (native !== undefined) return 'native';
  return hook.without_event === 'nothing'
    ? { fallback: `the harness has no event for ${event}, so nothing is written` }
    : { refused: `the harness has no event for ${event}` };
}

export const NO_EVENTS: HookEventTable = {
  session_start: undefined,
  session_end: undefined,
  user_prompt_submit: undefined,
  pre_tool_use: undefined,
  post_tool_use: undefined,
  post_tool_use_failure: undefined,
  pre_shell_execution: undefined,
  post_shell_execution: undefined,
  pre_mcp_execution: undefined,
  post_mcp_execution: undefined,
  pre_read_file: undefined,
  post_file_edit: undefined,
  permission_request: undefined,
  permission_denied: undefined,
  subagent_start: undefined,
  subagent_stop: undefined,
  stop: undefined,
  pre_compact: undefined,
  post_compact: undefined,
  notification: undefined,
};
