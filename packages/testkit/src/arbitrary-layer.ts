import { mkdirSync, readdirSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import * as fc from 'fast-check';
import type { GitChange } from './git-repository.ts';

export type LayerFile = string | { x: string } | { link: string };

/** Files of a layer, none of which is in the place of another's folder. */
export type LayerFiles = Readonly<Record<string, LayerFile>>;

/**
 * Few names, so that they collide: nested packages, names that differ in case or accents, desktop files, hidden
 * folders.
 */
const FOLDERS = ['a', 'A', 'ops', 'b', 'caf\u00e9', 'cafe\u0301', '.hidden', 'con', 'x y'];
const FILES = [
  'ARTIFACT.md',
  'SKILL.md',
  'DOMAIN.md',
  'data.txt',
  'Data.txt',
  '.env',
  '.DS_Store',
  'nul.txt',
  'a',
  'README.md',
];

const folder = fc
  .array(fc.constantFrom(...FOLDERS), { maxLength: 3 })
  .map((names) => names.join('/'));
const file = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('ARTIFACT.md', 'SKILL.md', 'data.txt') },
  { weight: 2, arbitrary: fc.constantFrom(...FILES) },
);
const path = fc.tuple(folder, file).map(([place, name]) => posix.join(place, name));

/** Draft of a file. The target of a link is relative to the root, and made relative to the link later. */
type Draft = string | { x: string } | { leads_to: string };

const content: fc.Arbitrary<Draft> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('one', 'two', '') },
  { weight: 1, arbitrary: fc.constantFrom('one', 'two').map((x) => ({ x })) },
  {
    weight: 2,
    arbitrary: fc
      .oneof(path, folder, fc.constantFrom('/etc/hostname', '../other/data.txt', '../other'))
      .map((leads_to) => ({ leads_to })),
  },
);

/** A file that keeps every layer from being empty. */
const KEPT: LayerFiles = { 'kept.md': 'kept' };

const anyFiles: fc.Arbitrary<LayerFiles> = fc
  .array(fc.tuple(path, content), { minLength: 1, maxLength: 14 })
  .map((drafts) => {
    let files: LayerFiles = {};
    for (const [place, draft] of drafts)
      files = overlayFiles(files, { [place]: fileOf(place, draft) });
    return files;
  });

export const anyLayer: fc.Arbitrary<LayerFiles> = anyFiles.map((files) =>
  overlayFiles(files, KEPT),
);

export const anyHistory: fc.Arbitrary<LayerFiles[]> = fc
  .array(fc.tuple(anyFiles, fc.nat(4), fc.array(fc.nat(20), { maxLength: 2 })), {
    minLength: 2,
    maxLength: 7,
  })
  .map((steps) => {
    const history: LayerFiles[] = [];
    for (const [drawn, few, dropped] of steps) {
      const last = history.at(-1) ?? {};
      const kept = Object.entries(last).filter((_, index) => !dropped.includes(index));
      const edits = few === 0 ? drawn : Object.fromEntries(Object.entries(drawn).slice(0, few));
      const before = few === 0 ? {} : Object.fromEntries(kept);
      history.push(overlayFiles(overlayFiles(before, edits), KEPT));
    }
    return history;
  });

/** Adds files, and removes those whose paths conflict. */
function overlayFiles(files: LayerFiles, over: LayerFiles): LayerFiles {
  const places = Object.keys(over);
  const kept = Object.entries(files).filter(([place]) =>
    places.every((other) => !other.startsWith(`${place}/`) && !place.startsWith(`${other}/`)),
  );
  return { ...Object.fromEntries(kept), ...over };
}

function fileOf(place: string, draft: Draft): LayerFile {
  if (typeof draft === 'string' || 'x' in draft) return draft;
  const { leads_to } = draft;
  if (leads_to.startsWith('/')) return { link: leads_to };
  return { link: posix.relative(dirname(place), leads_to) || '.' };
}

export function changesBetween(
  before: LayerFiles,
  after: LayerFiles,
): Readonly<Record<string, GitChange>> {
  const changes: Record<string, GitChange> = {};
  for (const place of Object.keys(before)) if (!(place in after)) changes[place] = null;
  for (const [place, now] of Object.entries(after)) {
    if (JSON.stringify(before[place]) !== JSON.stringify(now)) changes[place] = now;
  }
  return changes;
}

/** Applies changes and removes empty folders, which git does not track. */
export function applyChanges(root: string, changes: Readonly<Record<string, GitChange>>): void {
  for (const [place, change] of Object.entries(changes)) {
    if (change === null) removeFile(root, place);
  }
  for (const [place, change] of Object.entries(changes)) {
    if (change !== null) writeChange(join(root, place), change);
  }
}

function removeFile(root: string, place: string): void {
  rmSync(join(root, place), { force: true });
  for (let above = dirname(place); above !== '.'; above = dirname(above)) {
    if (readdirSync(join(root, above)).length > 0) return;
    rmdirSync(join(root, above));
  }
}

function writeChange(target: string, change: Exclude<GitChange, null>): void {
  mkdirSync(dirname(target), { recursive: true });
  rmSync(target, { recursive: true, force: true });
  if (typeof change === 'string' || change instanceof Uint8Array) writeFileSync(target, change);
  else if ('x' in change) writeFileSync(target, change.x, { mode: 0o755 });
  else if ('link' in change) symlinkSync(change.link, target);
}
