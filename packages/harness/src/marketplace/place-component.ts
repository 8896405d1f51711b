import { FIRST_CLASS_TYPES, type Artifact } from '@catalog/core/artifact/types';
import type { Json } from '@catalog/core/json';
import type { FileOperation, PlaceContext, Untranslatable } from '../adapter.ts';
import { TAG_KEY } from '../managed/json/find-entries.ts';
import { readMcpServer } from '@catalog/core/artifact/mcp-server';
import { requiresOpenSkill, type Filling } from './filling.ts';
import type { Components, MarketplaceFormat, Moved, ServerComponent } from './format.ts';
import { placeAuthoredSkill, placeOpenSkill, placeRuleAsSkill } from './open-skill.ts';

export function placeComponent(
  artifact: Artifact,
  filling: Filling,
  names: PlaceContext,
): FileOperation[] | Untranslatable {
  const { format, landing } = filling;
  const { components, plugin_root } = format;
  const { type } = artifact;
  const context = {
    ...names,
    skill_folder: components.skill.folder,
    ...(plugin_root === undefined ? {} : { plugin_root }),
  };
  if (type === 'skill') {
    const place = requiresOpenSkill(filling) ? placeOpenSkill : placeAuthoredSkill;
    return place(artifact, context);
  }
  const component = componentOf(type, format);
  if (component === 'skill') return placeRuleAsSkill(artifact, context);
  if (component === undefined || 'folder' in component || !isComponentType(type)) {
    return { untranslatable: `${format.id} marketplaces have no component for the type ${type}` };
  }
  if ('entry' in component) return placeServer(artifact, component, context);
  const placed = landing?.place[type](artifact, context) ?? [];
  return moveLanding(placed, component, format, artifact);
}

function isComponentType(type: string): type is keyof Components {
  return type !== 'context' && FIRST_CLASS_TYPES.some((known) => known === type);
}

export function componentOf(
  type: string,
  { components }: MarketplaceFormat,
): Components[keyof Components] {
  return isComponentType(type) ? components[type] : undefined;
}

function placeServer(
  { id, name, fields }: Artifact,
  { to, container, entry, refuses }: ServerComponent,
  { prefix }: PlaceContext,
): FileOperation[] | Untranslatable {
  const server = readMcpServer(fields);
  if (server === undefined) {
    return { untranslatable: 'the mcp-server has no server_identifier, command or url' };
  }
  const reason = refuses(server);
  if (reason !== undefined) return { untranslatable: reason };
  const value = entry(server);
  const owned = { shape: 'map', key: prefix + name, artifact_id: id, recorded: 'lock' } as const;
  return [{ kind: 'merge', path: to, entry: { ...owned, container, value } }];
}

/** Folder of hook files, the same in a plugin and in a workspace. */
export const HOOK_FILES = '.catalog/';

/** Moves an artifact into a plugin. Bundled files are dropped except those of hooks. */
function moveLanding(
  placed: FileOperation[] | Untranslatable,
  moved: Moved,
  format: MarketplaceFormat,
  artifact: Artifact,
): FileOperation[] | Untranslatable {
  if ('untranslatable' in placed) return placed;
  const operations = placed.flatMap((operation): FileOperation[] => {
    if (artifact.type === 'hook' && operation.path.startsWith(HOOK_FILES)) return [operation];
    const path = movePath(operation.path, moved);
    if (path === undefined) return [];
    return [operation.kind === 'write' ? { ...operation, path } : move(operation, path, moved)];
  });
  if (operations.some(({ path }) => !path.startsWith(HOOK_FILES))) return operations;
  const event = artifact.fields.hook_event;
  return { untranslatable: `${format.id} marketplaces have nothing for ${event ?? artifact.type}` };
}

export function movePath(path: string, { from, to }: Moved): string | undefined {
  if (path === from) return to;
  return path.startsWith(`${from}/`) ? to + path.slice(from.length) : undefined;
}

function move(
  { entry }: Extract<FileOperation, { kind: 'merge' }>,
  path: string,
  moved: Moved,
): FileOperation {
  return {
    kind: 'merge',
    path,
    entry: {
      ...entry,
      container: moved.container ?? entry.container,
      value: untagged(entry.value),
    },
  };
}

/** Removes marks, because catalog owns the whole file. */
function untagged(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { [TAG_KEY]: _tag, ...rest } = value;
  return rest;
}
