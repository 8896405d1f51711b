import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { nameOf, tokenOf, type Registry } from './artifacts.ts';
import type { Delivery } from './expect-delivery.ts';
import type { Save, Step } from './history.ts';
import { isCopy, isSameContent, modelsBefore, TOKEN, type Model } from './model.ts';
import { harnessesOf } from './settings.ts';
import { addUserEntry, EDITED_FILES, hasPlace, type UserEntry } from './shared-files.ts';
import { contentOf, isLink, modeOf, readLeaf, toLeaf, type Tree } from './tree.ts';

type UserStep = Extract<Step, { kind: 'edit-managed' | 'add-file' | 'edit-file' | 'edit-shared' }>;

export class User {
  readonly #directory: string;
  readonly #model: () => Model;
  #count = 0;
  #linked = false;

  constructor(directory: string, model: () => Model) {
    this.#directory = directory;
    this.#model = model;
  }

  act(step: UserStep, tree: Tree, delivery: Delivery, selected: Registry): void {
    if (step.kind === 'edit-managed') this.#editManaged(step, tree);
    else if (step.kind === 'add-file') this.#addFile(step, tree, delivery);
    else if (step.kind === 'edit-file') this.#editFile(step);
    else this.#editShared(step, tree, selected);
  }

  text(): string {
    this.#count += 1;
    return `Written by the user, ${this.#count}.\n`;
  }

  write(path: string, content: string, mode = 0o644): void {
    const file = this.#at(path);
    mkdirSync(dirname(file), { recursive: true });
    rmSync(file, { force: true });
    writeFileSync(file, content, 'latin1');
    chmodSync(file, mode);
  }

  #at(path: string): string {
    return join(this.#directory, path);
  }

  #editManaged({ how, pick }: Extract<Step, { kind: 'edit-managed' }>, tree: Tree): void {
    const model = this.#model();
    const path = choose(
      [...model.managed.keys()].filter((one) => isPlain(tree, one)),
      pick,
    );
    const leaf = path === undefined ? undefined : tree.get(path);
    if (path === undefined || leaf === undefined) return;
    // Before the interrupted sync is completed, only its journal lists the files that it created.
    if (model.interrupted !== undefined) model.doubtful.add(path);
    const content = contentOf(leaf);
    if (how === 'append') this.#save(path, content + this.text(), modeOf(leaf), pick);
    else if (how === 'crlf') this.#save(path, content.replaceAll('\n', '\r\n'), modeOf(leaf), pick);
    else if (how === 'delete') rmSync(this.#at(path));
    else if (how === 'link') {
      this.#addOwn('mine/target.md', this.text());
      rmSync(this.#at(path));
      symlinkSync(join(this.#directory, 'mine/target.md'), this.#at(path));
    } else if (how === 'hard-link') {
      this.#linked = true;
      this.#count += 1;
      const other = `mine-${this.#count}.md`;
      linkSync(this.#at(path), this.#at(other));
      model.user.set(other, leaf);
    } else if (!this.#linked) chmodSync(this.#at(path), how === 'private' ? 0o600 : 0o755);
  }

  /** Saves a file like an editor: in place, or by replacing it. */
  #save(path: string, content: string, mode: number, pick: number): void {
    const inPlace = Math.floor(pick * 1000) % 2 === 0 && !this.#linked;
    if (inPlace) writeFileSync(this.#at(path), content, 'latin1');
    else this.write(path, content, mode);
  }

  /** Saves a file that catalog may be replacing concurrently. */
  #saveBy(by: Save['by'], path: string, text: string): void {
    const file = this.#at(path);
    if (by === 'rename' || this.#linked) {
      writeFileSync(`${file}.swp`, text, 'latin1');
      renameSync(`${file}.swp`, file);
    } else if (by === 'append') appendFileSync(file, text, 'latin1');
    else writeFileSync(file, text, 'latin1');
  }

  #addOwn(path: string, content: string, mode = 0o644): void {
    this.write(path, content, mode);
    this.#model().user.set(path, toLeaf(content, mode));
  }

  #addFile(
    { how, pick }: Extract<Step, { kind: 'add-file' }>,
    tree: Tree,
    delivery: Delivery,
  ): void {
    const model = this.#model();
    const path = choose(
      [...delivery.files.keys()].filter((one) => this.#isFree(one)),
      pick,
    );
    const leaf = path === undefined ? undefined : delivery.files.get(path);
    if (path === undefined || leaf === undefined) return;
    const folder = dirname(path);
    const isOwn = !model.managed.has(path);
    if (how === 'beside') this.#addOwn(`${folder}/own.md`, this.text());
    else if (how === 'other-case') {
      const other = `${folder}/${path.slice(folder.length + 1).toUpperCase()}`;
      if (!tree.has(other) && other !== path) this.#addOwn(other, this.text());
    } else if (how === 'folder') this.#addOwn(`${path}/own.md`, this.text());
    else if (how === 'link') {
      this.#addOwn('mine/target.md', this.text());
      mkdirSync(dirname(this.#at(path)), { recursive: true });
      symlinkSync(join(this.#directory, 'mine/target.md'), this.#at(path));
      if (isOwn) model.user.set(path, readLeaf(this.#at(path)));
    } else {
      const content = contentOf(leaf);
      const isSame = how === 'equal' || how === 'private';
      // The file is identical to one that the interrupted sync wrote, so the journal decides (ADR-0057).
      if (isSame && model.interrupted?.writes.has(path) === true) return;
      if (isSame && model.evidence.get(path)?.some((left) => isSameContent(left, leaf)) === true) {
        return;
      }
      if (model.interrupted !== undefined && !isOwn) model.doubtful.add(path);
      const own = isSame
        ? content
        : how === 'crlf'
          ? content.replaceAll('\n', '\r\n')
          : this.text();
      const mode = how === 'private' ? 0o600 : how === 'equal' ? modeOf(leaf) : 0o644;
      this.write(path, own, mode);
      if (isOwn) model.user.set(path, toLeaf(own, mode));
    }
  }

  #isFree(path: string): boolean {
    const parts = path.split('/');
    for (const [index] of parts.entries()) {
      const above = this.#at(parts.slice(0, index + 1).join('/'));
      const stats = lstatSync(above, { throwIfNoEntry: false });
      if (stats === undefined) return true;
      if (!stats.isDirectory()) return false;
    }
    return false;
  }

  #editFile({ how, pick }: Extract<Step, { kind: 'edit-file' }>): void {
    const { user } = this.#model();
    const path = choose(
      [...user.keys()].filter((one) => isPlain(user, one)),
      pick,
    );
    const leaf = path === undefined ? undefined : user.get(path);
    if (path === undefined || leaf === undefined) return;
    if (how === 'edit') this.#addOwn(path, contentOf(leaf) + this.text(), modeOf(leaf));
    else {
      rmSync(this.#at(path));
      user.delete(path);
      this.#removeEmptyFolders(dirname(path));
    }
  }

  #removeEmptyFolders(folder: string): void {
    for (let above = folder; above !== '.'; above = dirname(above)) {
      if (readdirSync(this.#at(above)).length > 0) return;
      rmdirSync(this.#at(above));
    }
  }

  #editShared(
    { how, pick }: Extract<Step, { kind: 'edit-shared' }>,
    tree: Tree,
    selected: Registry,
  ): void {
    const model = this.#model();
    const paths = harnessesOf(model.settings).flatMap((harness) => EDITED_FILES[harness] ?? []);
    const path = choose(paths, pick);
    if (path === undefined) return;
    const leaf = tree.get(path);
    if (leaf !== undefined && isLink(leaf)) return;
    const content = leaf === undefined ? undefined : contentOf(leaf);
    if (how === 'read-only') {
      if (leaf === undefined || !model.own_shared.has(path)) return;
      chmodSync(this.#at(path), modeOf(leaf) === 0o444 ? 0o644 : 0o444);
    } else if (how === 'edit-managed') this.#editEntry(path, content);
    else if (how === 'rewrite') {
      model.entries.delete(path);
      model.entry_edits.delete(path);
      rmSync(this.#at(path), { force: true });
      this.#addEntry(path, undefined, `mine${this.#next()}`, `user-${this.#count}`);
    } else if (how === 'add') {
      this.#addEntry(path, content, `mine${this.#next()}`, `user-${this.#count}`);
    } else {
      const id = choose(
        [...selected.keys()].filter((one) => isPlaceIn(path, one)),
        pick,
      );
      const edition = id === undefined ? undefined : selected.get(id)?.edition;
      if (id === undefined || edition === undefined) return;
      // The journal decides about entries too (ADR-0057).
      if (how === 'same-value' && model.interrupted !== undefined) return;
      const value = how === 'same-value' ? tokenOf(id, edition) : `user-${this.#next()}`;
      const key = path.endsWith('.md') ? id : nameOf(id);
      this.#addEntry(path, content, key, value, key);
    }
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }

  #addEntry(
    path: string,
    content: string | undefined,
    key: string,
    value: string,
    name?: string,
  ): void {
    const model = this.#model();
    const added = addUserEntry(path, content, key, value);
    if (added === undefined) return;
    const file = this.#at(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, added.content, 'latin1');
    if (content === undefined) model.own_shared.add(path);
    const isFirst = model.managed.size + model.managed_entries.size + model.delivered.size === 0;
    if (isFirst && model.interrupted === undefined) model.pristine.set(path, readLeaf(file));
    else model.pristine.delete(path);
    const entry: UserEntry = name === undefined ? added.entry : { ...added.entry, name };
    // The lock from before an interrupted sync contains the former positions.
    const { interrupted } = model;
    const models = [model, ...(interrupted === undefined ? [] : modelsBefore(interrupted))];
    const places = models.map(({ managed_entries }) => managed_entries.get(path) ?? '');
    if (places.some((place) => hasPlace(path, place, entry))) {
      // Catalog created the entry at this position: another value is an edit of it (ADR-0005).
      if (!added.entry.text.includes('user-')) {
        // A broken artifact may have its entry at another position, and another user's lock is only
        // evidence.
        if (model.may_differ_in_place || model.foreign_records) {
          this.#own(path, { ...entry, doubtful: true });
        }
        return;
      }
      model.entry_edits.set(path, [...(model.entry_edits.get(path) ?? []), value]);
      return;
    }
    // A broken artifact can change which names the others have, so catalog may own this place too.
    const isDoubtful = name !== undefined && model.may_differ_in_place;
    this.#own(path, isDoubtful ? { ...entry, doubtful: true } : entry);
  }

  #own(path: string, entry: UserEntry): void {
    const { entries } = this.#model();
    entries.set(path, [...(entries.get(path) ?? []), entry]);
  }

  #editEntry(path: string, content: string | undefined): void {
    const model = this.#model();
    if (content === undefined) return;
    const own = (model.entries.get(path) ?? []).map(({ text }) => text).join('\n');
    const found = [...content.matchAll(TOKEN)].find(([one]) => !own.includes(one));
    if (found === undefined) return;
    const end = found.index + found[0].length;
    const edited = `${found[0]}-user${this.#next()}`;
    const text = content.slice(0, found.index) + edited + content.slice(end);
    writeFileSync(this.#at(path), text, 'latin1');
    model.pristine.delete(path);
    model.entry_edits.set(path, [...(model.entry_edits.get(path) ?? []), edited]);
  }

  /** Saves a file while a sync runs; returns its path, or undefined if no file is suitable. */
  saveDuringSync({ how, by, pick }: Save, tree: Tree, delivery: Delivery): string | undefined {
    const model = this.#model();
    if (how === 'shared') {
      const path = choose(
        [...tree.keys()].filter((one) => delivery.shared.has(one)),
        pick,
      );
      const leaf = path === undefined ? undefined : tree.get(path);
      if (path === undefined || leaf === undefined || isLink(leaf)) return undefined;
      if (!existsSync(this.#at(path)) || modeOf(leaf) === 0o444) return undefined;
      const content = readFileSync(this.#at(path), 'latin1');
      this.#addEntry(path, content, `mine${this.#next()}`, `user-${this.#count}`);
      return path;
    }
    const candidates =
      how === 'new'
        ? [...delivery.files.keys()].filter((one) => !model.managed.has(one) && this.#isFree(one))
        : [...model.managed.keys()].filter((one) => isPlain(tree, one));
    const path = choose(candidates, pick);
    if (path === undefined) return undefined;
    if (how === 'new') this.#addOwn(path, this.text());
    else this.#saveBy(by, path, this.text());
    return path;
  }
}

function isPlaceIn(path: string, id: string): boolean {
  return path.endsWith('.md') ? nameOf(id) === 'law' : ['db', 'logs'].includes(nameOf(id));
}

function isPlain(tree: ReadonlyMap<string, string>, path: string): boolean {
  const leaf = tree.get(path);
  return leaf !== undefined && !isLink(leaf) && !isCopy(path);
}

function choose<T>(items: readonly T[], pick: number): T | undefined {
  return items[Math.floor(pick * items.length)];
}
