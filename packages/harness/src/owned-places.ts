import { HOOK_EVENTS, type Artifact, type HookEvent } from '@catalog/core/artifact/types';
import type { McpConfig, McpConfigFile, Refused, RulesImport } from './adapter.ts';
import type { HookEntryLanding, HookFileLanding, Landings } from './landing.ts';
import type { OwnedPlace } from './owned-place.ts';
import { CONTEXT_FOLDER, resourcesFolder } from './place/write-files.ts';

/** Returns the places that an adapter writes, without those it only reads. */
export function ownedPlacesOf(landings: Landings, rules_import?: RulesImport): OwnedPlace[] {
  const { skill, agent, command, rule, hook, mcp_server, mcp_config } = landings;
  const extension = landings.extension ?? resourcesFolder('{id}');
  return [
    { into: 'folder', path: CONTEXT_FOLDER },
    { into: 'folder', path: resourcesFolder('{id}') },
    ...(typeof extension === 'string' ? [folder(extension)] : []),
    ...(isRefused(skill) ? [] : skill.folders.map((path) => folder(`${path}/{name}`))),
    ...[agent, command].flatMap((landing) => (isRefused(landing) ? [] : documentPlaces(landing))),
    ...(isRefused(rule) ? [] : [{ into: rule.into, path: rule.path }]),
    ...(rules_import === undefined ? [] : [{ into: 'block' as const, path: rules_import.path }]),
    ...(isRefused(hook) ? [] : hookPlaces(hook)),
    ...[mcp_server, mcp_config].flatMap(serverPlaces),
  ];
}

function isRefused(landing: object): landing is Refused {
  return 'refused' in landing;
}

function folder(path: string): OwnedPlace {
  return { into: 'folder', path };
}

function documentPlaces({ path, bundled }: { path: string; bundled?: string }): OwnedPlace[] {
  return [{ into: 'file', path }, ...(bundled === undefined ? [] : [folder(bundled)])];
}

function hookPlaces(hook: HookEntryLanding | HookFileLanding): OwnedPlace[] {
  const shared = sharedFiles(hook).map((path): OwnedPlace => ({ into: 'file', path }));
  if (hook.into === 'file') return [{ into: 'file', path: hook.path }, ...shared];
  const { path, container, named, beside = {} } = hook;
  return [
    named === true
      ? { into: 'entry', path, container, key: '{name}' }
      : { into: 'entry', path, container: [...container, '{any}'], key: '{id}' },
    ...Object.keys(beside).map((key): OwnedPlace => ({ into: 'entry', path, container: [], key })),
    ...shared,
  ];
}

/** Returns files that all hooks share, and that the lock can list with any of them. */
function sharedFiles({ shim, events }: HookEntryLanding | HookFileLanding): string[] {
  if (shim === undefined) return [];
  const paths = HOOK_EVENTS.flatMap((event) => {
    const native = events[event];
    if (native === undefined) return [];
    const hook = { artifact: probe(event), event, native, command: 'true', timeout: undefined };
    return shim(hook).files.map(({ path }) => path);
  });
  return [...new Set(paths)];
}

/** Returns a hook with only an event, because shared files depend on nothing else. */
function probe(hook_event: HookEvent): Artifact {
  return {
    id: 'probe',
    name: 'probe',
    layer: '',
    type: 'hook',
    version: '0.0.0',
    description: '',
    fields: { type: 'hook', version: '0.0.0', hook_event, hook_action: 'true' },
    manifest: undefined,
    skill: undefined,
    skill_fields: undefined,
    body: '',
    resources: [],
    content_hash: '',
    authored_hash: '',
  };
}

function serverPlaces(config: McpConfig | Refused | undefined): OwnedPlace[] {
  if (config === undefined || 'refused' in config) return [];
  const { project, beside, user } = config;
  const byUser = user === undefined ? [] : 'path' in user ? [user] : Object.values(user);
  return [project, beside, ...byUser].flatMap((file) => (file === undefined ? [] : servers(file)));
}

/** Returns the places of servers. Authors choose their names, so any key is possible. */
function servers({ path, container }: McpConfigFile): OwnedPlace[] {
  return [{ into: 'entry', path, container, key: '{any}' }];
}
