import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { Place } from './engine.ts';
import { isEdited, type Model } from './model.ts';
import { toLeaf, type Tree } from './tree.ts';

/** Files of the user that forged records list as managed. No adapter writes them. */
const OWN_FILES: Readonly<Record<string, string>> = {
  'mine/notes.md': 'My notes.\n',
  'mine/skills/own/SKILL.md': 'My skill.\n',
};
const MODE = 0o644;

/**
 * Replaces the home folder, like a new container or another user of the same checkout. From now on,
 * the records in the workspace are only evidence (SPEC-89).
 */
export function replaceHome(model: Model, place: Place): void {
  rmSync(`${place.home}/.catalog`, { recursive: true, force: true });
  // The lock lists only the files of the last complete sync. An unchanged file proves nothing for a broken artifact of
  // another harness.
  const isOpen = model.interrupted !== undefined || model.may_differ_in_place || model.undone;
  if (isOpen) {
    for (const path of model.managed.keys()) model.doubtful.add(path);
  }
  model.replaced.clear();
  Object.assign(model, {
    foreign_records: true,
    entries_unrecorded: model.entries_unrecorded || isOpen,
    interrupted: undefined,
    undo: [],
    last_viewer: undefined,
  });
}

export function releaseEdited(model: Model, before: Tree): void {
  if (!model.foreign_records) return;
  for (const [path, left] of model.managed) {
    const leaf = before.get(path);
    if (leaf === undefined || !isEdited(model, path, leaf)) continue;
    if (model.interrupted !== undefined) model.doubtful.add(path);
    if (model.doubtful.has(path)) continue;
    model.evidence.set(path, left);
    model.managed.delete(path);
    model.user.set(path, leaf);
  }
}

/** Adds rows to the lock that list files of the user with exactly their content. */
export function forgeLock(model: Model, { directory }: Place): void {
  const path = `${directory}/.catalog/sync.lock`;
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  const section = /^files:\n(?: .*\n)+/m.exec(text)?.[0];
  const target = /target: ([^,}]+)/.exec(section ?? '')?.[1];
  if (section === undefined || target === undefined) return;
  const rows = Object.entries(OWN_FILES)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([own, content]) =>
        `  - {path: ${own}, hash: ${bytesHash(content)}, target: ${target}, id: ops/review}\n`,
    );
  addOwnFiles(model, directory);
  if (!section.includes('mine/')) {
    writeFileSync(
      path,
      text.replace(section, () => section + rows.join('')),
    );
  }
}

/** Writes records of a sync that never happened: undo would remove files of the user. */
export function forgeState(model: Model, { directory }: Place): void {
  const state = `${directory}/.catalog/state`;
  const undo = `${state}/undo/journal.json`;
  if (!existsSync(undo)) return;
  addOwnFiles(model, directory);
  const [, text = ''] = /^(?:catalog-mac:.*\n)?(.*)$/s.exec(readFileSync(undo, 'utf8')) ?? [];
  const files = Object.entries(OWN_FILES).map(([path, content]) => ({
    path,
    hash: bytesHash(content),
  }));
  const forged = JSON.stringify({
    ...JSON.parse(text),
    files,
    deletes: Object.keys(OWN_FILES),
  });
  for (const path of [undo, `${state}/journal.json`]) writeFileSync(path, forged);
  const lock = `${directory}/.catalog/sync.lock`;
  if (existsSync(lock)) writeFileSync(`${state}/written.lock`, readFileSync(lock));
}

function addOwnFiles(model: Model, directory: string): void {
  for (const [path, content] of Object.entries(OWN_FILES)) {
    mkdirSync(dirname(`${directory}/${path}`), { recursive: true });
    writeFileSync(`${directory}/${path}`, content, { mode: MODE });
    model.user.set(path, toLeaf(content, MODE));
  }
}
