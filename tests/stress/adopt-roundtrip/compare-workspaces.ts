import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { listPathsToRead } from '@catalog/harness/adopt/list-paths-to-read';
import { memberAt, readParts, settingsOf } from '@catalog/harness/adopt/product-text';
import { equalBytes } from '@catalog/harness/equal-bytes';
import { canonicalJson } from '@catalog/core/canonical-json';
import { INDEX_KEY, TAG_KEY } from '@catalog/harness/managed/json/find-entries';
import { listFiles } from '../../../bench/tree.ts';
import { isAt } from './is-at.ts';
import { isRead } from './user-workspace.ts';
import { isAddedForm } from './windows-form.ts';

/** A file in both workspaces with its difference: `prose`, `mode`, or the name of a key. */
export interface Difference {
  path: string;
  what: string;
}

/**
 * Compares all paths that the harness reads, without the order of keys, ownership markers, and the text
 * of hook commands. Commands can differ and have the same effect; hooks are executed.
 */
export function compareWorkspaces(
  before: string,
  after: string,
  adapter: HarnessAdapter,
): Difference[] {
  const looks = listPathsToRead(adapter.adopt ?? []);
  const readIn = (folder: string): Set<string> =>
    new Set(listFiles(folder).filter((path) => isRead(path, looks)));
  const [had, has] = [readIn(before), readIn(after)];
  return [...new Set([...had, ...has])].toSorted().flatMap((path) => {
    if (!has.has(path)) return [{ path, what: 'did not come back' }];
    if (!had.has(path)) return [{ path, what: 'was not there before' }];
    return differing(path, [before, after], adapter).map((what) => ({ path, what }));
  });
}

type Sides = readonly [before: string, after: string];

function differing(path: string, [before, after]: Sides, adapter: HarnessAdapter): string[] {
  const [one, other] = [readFileSync(join(before, path)), readFileSync(join(after, path))];
  const [mode, otherMode] = [before, after].map((at) => statSync(join(at, path)).mode & 0o111);
  const modes = mode === otherMode ? [] : ['mode'];
  if (equalBytes(one, other)) return modes;
  if (isSettings(path, adapter)) return [...modes, ...differingSettings(path, one, other, adapter)];
  return [...modes, ...differingParts(path, one.toString(), withoutMarkers(other.toString()))];
}

function isSettings(path: string, { adopt = [] }: HarnessAdapter): boolean {
  return adopt.some(
    (source) => (source.kind === 'hooks' || source.kind === 'servers') && isAt(source.path, path),
  );
}

function withoutMarkers(text: string): string {
  return text.replaceAll(/^<!-- catalog:(?:begin|end):.* -->\n/gm, '');
}

function differingParts(path: string, one: string, other: string): string[] {
  const [had, has] = [readParts(one, path), readParts(other, path)];
  if ('left' in had || 'left' in has) return ['form'];
  const keys = new Set([...Object.keys(had.values), ...Object.keys(has.values)]);
  return [
    ...[...keys].filter((key) => spelled(had.values[key]) !== spelled(has.values[key])),
    ...(had.body === has.body ? [] : ['prose']),
  ];
}

function spelled(value: Json | undefined): string {
  return value === undefined ? '' : canonicalJson(value);
}

function differingSettings(
  path: string,
  one: Uint8Array,
  other: Uint8Array,
  adapter: HarnessAdapter,
): string[] {
  const [had, has] = [one, other].map((bytes) => valuesOf(path, bytes, adapter));
  if (had === undefined || has === undefined) return ['form'];
  const keys = new Set([...Object.keys(had), ...Object.keys(has)]);
  return [...keys].filter((key) => spelled(had[key]) !== spelled(has[key]));
}

function valuesOf(
  path: string,
  bytes: Uint8Array,
  { adopt = [] }: HarnessAdapter,
): JsonObject | undefined {
  const settings = settingsOf({ path, bytes });
  if ('left' in settings) return undefined;
  const values = unmarked(settings.values);
  for (const source of adopt) {
    if (source.kind !== 'hooks' || !isAt(source.path, path)) continue;
    // In the product's own format, each hook has a name. It is not compared, because adopt creates
    // new names.
    if (source.own_form) {
      return Object.fromEntries(
        Object.entries(source.lists(values) ?? {}).map(([event, list]) => [
          event,
          withoutCommands(list),
        ]),
      );
    }
    const events = memberAt(values, source.container) ?? {};
    for (const [event, list] of Object.entries(events)) events[event] = withoutCommands(list);
  }
  return values;
}

function unmarked(values: JsonObject): JsonObject {
  const { [INDEX_KEY]: _index, [TAG_KEY]: _tag, ...own } = values;
  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit);
    return isJsonObject(value) ? unmarked(value) : value;
  };
  return Object.fromEntries(Object.entries(own).map(([key, value]) => [key, visit(value)]));
}

function withoutCommands(list: Json): Json {
  const plain = (value: Json, key = ''): Json => {
    if (typeof value === 'string') return COMMANDS.has(key) ? 'command' : value;
    if (Array.isArray(value)) return value.map((item) => plain(item));
    if (!isJsonObject(value)) return value;
    const kept = Object.entries(value).filter(([name, item]) => !isAddedForm(name, item));
    return Object.fromEntries(kept.map(([name, item]) => [name, plain(item, name)]));
  };
  if (!Array.isArray(list)) return list;
  return list.map((element) => canonicalJson(plain(element))).toSorted();
}

const COMMANDS = new Set(['command', 'bash']);
