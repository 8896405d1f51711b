import type { Artifact } from '@catalog/core/artifact/types';
import { canonicalJson } from '@catalog/core/canonical-json';
import type { JsonObject } from '@catalog/core/json';
import { equalBytes } from '../equal-bytes.ts';
import type { OwnedEntry } from '../managed/managed-file.ts';
import type { AdoptSource } from './adopt-source.ts';
import type { Candidate } from './candidate.ts';
import { collect, type FoundWorkspace } from './collect.ts';

export interface AdoptedEntry {
  path: string;
  entry: OwnedEntry;
}

export function settingsSources(sources: readonly AdoptSource[]): AdoptSource[] {
  return sources.filter(({ kind }) => kind === 'hooks' || kind === 'servers');
}

/** Returns entries that exist as artifacts too. An element with several commands counts only if all of them do. */
export function findAdoptedEntries(
  harness: string,
  sources: readonly AdoptSource[],
  workspace: FoundWorkspace,
  artifacts: readonly Artifact[],
): AdoptedEntry[] {
  const found = collect(harness, settingsSources(sources), workspace).flatMap((one) => {
    if (one.kind === 'left' || one.entry === null || one.settings === undefined) return [];
    const artifact = artifacts.find((each) => isMadeOf(each, one));
    return artifact === undefined ? [] : [{ path: one.entry.file, of: one.settings, artifact }];
  });
  const elements = Map.groupBy(found, ({ path, of }) => JSON.stringify([path, of]));
  const keys = new Set<string>();
  return [...elements.values()].flatMap((commands): AdoptedEntry[] => {
    const [first] = commands;
    if (first === undefined || commands.length < first.of.commands) return [];
    const { path, of, artifact } = first;
    const key = freeKey(of.key ?? artifact.id, [path, of.container], keys);
    const { shape, container, hash } = of;
    return [{ path, entry: { shape, container, key, artifact_id: artifact.id, hash } }];
  });
}

/** Returns an unused key, because several equal elements can become one artifact. */
function freeKey(key: string, place: unknown, keys: Set<string>): string {
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? key : `${key}#${count}`;
    const spelled = JSON.stringify([place, free]);
    if (keys.has(spelled)) continue;
    keys.add(spelled);
    return free;
  }
}

function isMadeOf({ type, manifest, resources }: Artifact, candidate: Candidate): boolean {
  const kept = new Map(resources.map(({ path, bytes }) => [path, bytes]));
  return (
    type === candidate.type &&
    manifest !== undefined &&
    canonicalJson(comparable(manifest.values)) === canonicalJson(comparable(candidate.values)) &&
    candidate.resources.every(({ path, bytes }) => {
      const other = kept.get(path);
      return other !== undefined && equalBytes(other, bytes);
    })
  );
}

/** Returns the keys that define what runs; an author may change others. */
function comparable(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([key]) => RUNS.has(key)));
}

const RUNS: ReadonlySet<string> = new Set([
  'hook_event',
  'hook_action',
  'hook_matcher',
  'command',
  'args',
  'env',
  'url',
  'headers',
]);
