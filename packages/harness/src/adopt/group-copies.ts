import { foldPath } from '@catalog/core/artifact/safe-path';
import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import { canonicalJson } from '@catalog/core/canonical-json';
import { equalBytes } from '../equal-bytes.ts';
import type { Candidate } from './candidate.ts';

export interface CopyGroup {
  chosen: Candidate;
  chosen_by: ChosenBy | null;
  others: { copy: Candidate; differs: string[] }[];
}

/** Why a copy was chosen; `first_harness` also if modification times are equal. */
export type ChosenBy = 'newest' | 'first_harness';

export type Preference = 'first' | 'latest';

export function groupCopies(candidates: readonly Candidate[], preference: Preference): CopyGroup[] {
  const groups = Map.groupBy(
    candidates,
    ({ type, folder, name }) => `${type} ${foldPath(folder + name)}`,
  );
  return [...groups.values()].map((copies) => {
    // Sorting keeps copies with equal times in the order of their harnesses.
    const [first, ...rest] =
      preference === 'first' ? copies : copies.toSorted((a, b) => b.changed_at - a.changed_at);
    if (first === undefined) throw new RangeError('a group has a member');
    const others = rest.map((copy) => ({ copy, differs: differencesOf(first, copy) }));
    const equal = others.filter(({ differs }) => differs.length === 0);
    const differing = others.filter(({ differs }) => differs.length > 0);
    const isNewest = differing.every(({ copy }) => copy.changed_at < first.changed_at);
    const chosen_by = preference === 'latest' && isNewest ? 'newest' : 'first_harness';
    return {
      chosen_by: differing.length === 0 ? null : chosen_by,
      chosen: withAllTargets(
        first,
        equal.map(({ copy }) => copy),
      ),
      others,
    };
  });
}

function withAllTargets(first: Candidate, equal: readonly Candidate[]): Candidate {
  if (first.values[TARGETS] === undefined) return first;
  const targets = [first, ...equal].flatMap(({ values }) => {
    const named = values[TARGETS];
    return Array.isArray(named) ? named : [];
  });
  return { ...first, values: { ...first.values, [TARGETS]: [...new Set(targets)] } };
}

const TARGETS = 'target_harnesses';

/** Returns what differs between two copies, ignoring the order of keys and trailing spaces. */
export function differencesOf(one: Candidate, other: Candidate): string[] {
  return [
    ...differingMembers(comparedValues(one), comparedValues(other)),
    ...(normalizeWhitespace(one.skill?.text ?? one.body) ===
    normalizeWhitespace(other.skill?.text ?? other.body)
      ? []
      : [one.skill === undefined ? 'prose' : 'SKILL.md']),
    ...(equalBytes(manifestIn(one), manifestIn(other)) ? [] : ['ARTIFACT.md']),
    ...differingFiles(one, other),
  ];
}

const NO_BYTES = new Uint8Array();

function manifestIn({ skill }: Candidate): Uint8Array {
  return skill?.manifest ?? NO_BYTES;
}

/** Returns the values to compare, with the file name as the default name. */
export function comparedValues({ name, values }: Candidate): JsonObject {
  const { [TARGETS]: _targets, ...own } = values;
  return { name, ...own };
}

/** Returns differing members, in maps with their keys: `env (TOKEN, URL)`. */
function differingMembers(one: JsonObject, other: JsonObject): string[] {
  return differingKeys(one, other).map((key) => {
    const [mine = {}, theirs = {}] = [one[key], other[key]];
    if (!isJsonObject(mine) || !isJsonObject(theirs)) return key;
    return `${key} (${differingKeys(mine, theirs).join(', ')})`;
  });
}

/** Returns differing keys, including those that one side lacks. */
export function differingKeys(one: JsonObject, other: JsonObject): string[] {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].filter((key) => spelled(one[key]) !== spelled(other[key]));
}

/** Returns a comparable form. A list and a string with commas are equal. */
function spelled(value: Json | undefined): string {
  if (value === undefined || value === null || value === '') return '';
  const texts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (texts) return value.join(',').replaceAll(/,\s+/g, ',');
  return typeof value === 'string'
    ? value.trim().replaceAll(/,\s+/g, ',').replaceAll(/\s+/g, ' ')
    : canonicalJson(value);
}

export function normalizeWhitespace(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();
}

function differingFiles(one: Candidate, other: Candidate): string[] {
  const files = new Map(other.resources.map((file) => [file.path, file]));
  const changed = one.resources.filter(({ path, bytes }) => {
    const copy = files.get(path);
    files.delete(path);
    return copy === undefined || !equalBytes(bytes, copy.bytes);
  });
  return [...changed.map(({ path }) => path), ...files.keys()];
}
