import type { Destination, PlacedType, Refused } from './adapter.ts';
import type { Landings } from './landing.ts';
import { CONTEXT_FOLDER, resourcesFolder } from './place/write-files.ts';

/** Returns the destinations, without rejected types. */
export function destinationsOf(landings: Landings): Partial<Record<PlacedType, Destination>> {
  const { skill, agent, command, rule, hook, mcp_server, context } = landings;
  return {
    ...('refused' in skill ? {} : { skill: folder(`${skill.folders[0] ?? ''}/{name}`) }),
    ...documentOf('agent', agent),
    ...documentOf('command', command),
    ...('refused' in rule ? {} : { rule: { into: rule.into, path: rule.path } }),
    ...('refused' in hook ? {} : { hook: hookDestination(hook) }),
    ...('refused' in mcp_server || mcp_server.project === undefined
      ? {}
      : {
          'mcp-server': {
            into: 'entry' as const,
            path: mcp_server.project.path,
            container: mcp_server.project.container,
          },
        }),
    ...(context === undefined ? { context: folder(CONTEXT_FOLDER), ...extensionOf(landings) } : {}),
  };
}

function folder(path: string): Destination {
  return { into: 'folder', path };
}

function documentOf(
  type: 'agent' | 'command',
  landing: Landings['agent'],
): Partial<Record<PlacedType, Destination>> {
  return 'refused' in landing ? {} : { [type]: { into: 'file', path: landing.path } };
}

function hookDestination(hook: Exclude<Landings['hook'], Refused>): Destination {
  return hook.into === 'file'
    ? { into: 'file', path: hook.path }
    : { into: 'entry', path: hook.path, container: hook.container };
}

function extensionOf({
  extension = resourcesFolder('{id}'),
}: Landings): Partial<Record<PlacedType, Destination>> {
  return typeof extension === 'string' ? { extension: folder(extension) } : {};
}
