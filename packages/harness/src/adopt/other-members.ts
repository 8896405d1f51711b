import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import { canonicalJson } from '@catalog/core/canonical-json';
import { INDEX_KEY } from '../managed/json/find-entries.ts';
import type { AdoptSource } from './adopt-source.ts';
import type { FoundFile } from './candidate.ts';
import { settingsOf } from './product-text.ts';
import { nameIn } from './template-names.ts';

/** Members of a file that are neither hooks nor servers, such as `permissions`. */
export interface OtherMembers {
  path: string;
  /** Members, with dots: `permissions`, `mcp.timeout`. */
  members: string[];
}

type SettingsSource = Extract<AdoptSource, { kind: 'hooks' | 'servers' }>;

export function otherMembers(
  sources: readonly AdoptSource[],
  files: ReadonlyMap<string, FoundFile>,
): OtherMembers[] {
  return [...files.values()].flatMap((file) => {
    const readers = sources.filter(isSettings).filter((source) => isIn(source, file.path));
    if (readers.length === 0) return [];
    const settings = settingsOf(file);
    if ('left' in settings) return [];
    const members = listOtherMembers(settings.values, readers);
    return members.length === 0 ? [] : [{ path: file.path, members }];
  });
}

function isSettings(source: AdoptSource): source is SettingsSource {
  return source.kind === 'hooks' || source.kind === 'servers';
}

function isIn({ path }: SettingsSource, file: string): boolean {
  return path.includes('{name}') ? nameIn(path, file) !== undefined : path === file;
}

const OF_THE_FORMAT: ReadonlySet<string> = new Set([INDEX_KEY, '$schema']);

function listOtherMembers(values: JsonObject, sources: readonly SettingsSource[]): string[] {
  const others: JsonObject = Object.assign(
    {},
    ...sources.map((source) => (source.kind === 'hooks' ? source.beside : {})),
  );
  return Object.entries(values).flatMap(([key, value]) => {
    if (OF_THE_FORMAT.has(key)) return [];
    if (canonicalJson(others[key] ?? null) === canonicalJson(value)) return [];
    return listUnadopted(value, [key], sources);
  });
}

/** Returns true if a member is adopted as a whole, because the product has its own format for hooks. */
function isAdopted(at: readonly string[], sources: readonly SettingsSource[]): boolean {
  return sources.some(
    (source) =>
      source.kind === 'hooks' &&
      source.own_form &&
      source.container.every((key, index) => at[index] === key),
  );
}

/** Lists members that are not adopted, next to the containers of hooks and servers. */
function listUnadopted(
  value: Json,
  at: readonly string[],
  sources: readonly SettingsSource[],
): string[] {
  if (isAdopted(at, sources)) return [];
  const inside = sources.filter(({ container }) =>
    at.every((key, index) => container[index] === key),
  );
  const member = at.join('.');
  if (inside.length === 0 || !isJsonObject(value)) return [member];
  const here = inside.find(({ container }) => container.length === at.length);
  const members = Object.entries(value);
  if (here?.kind === 'servers') return [];
  // A product can keep switches next to the lists of its events.
  if (here?.kind === 'hooks') {
    return members.filter(([, list]) => !Array.isArray(list)).map(([key]) => `${member}.${key}`);
  }
  return members.flatMap(([key, below]) => listUnadopted(below, [...at, key], sources));
}
