import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Artifact } from '@catalog/core/artifact/types';
import { decideSnapshots } from '@catalog/core/ingest/decide-snapshots';
import { isJsonObject, type Json } from '@catalog/core/json';
import { effectiveView } from '@catalog/core/view/effective-view';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { listPathsToRead, type WorkspacePaths } from '@catalog/harness/adopt/list-paths-to-read';
import { editManagedFile } from '@catalog/harness/managed/edit-managed-file';
import { TAG_KEY } from '@catalog/harness/managed/json/find-entries';
import { planArtifacts } from '@catalog/harness/plan';
import type { PlannedEntry } from '@catalog/harness/planned';
import { harnessCapabilities } from '@catalog/harness/registry';
import { loadFixture } from '@catalog/testkit/fixture';
import { isAddedForm } from './windows-form.ts';

/** Folder of the scripts of the user's hooks, relative to the workspace. */
const SCRIPTS = 'tools/hooks';

export interface UserWorkspace {
  files: number;
  /** Number of fixture files that no product reads on its own: bundled files, contexts and data. */
  unread: number;
}

/**
 * Uses the paths and formats of the adapter, without markers and lock; hooks run the user's own
 * scripts.
 */
export function writeUserWorkspace(
  folder: string,
  adapter: HarnessAdapter,
  hooks: 'with' | 'without',
): UserWorkspace {
  const artifacts = fixtureArtifacts().filter(({ type }) => hooks === 'with' || type !== 'hook');
  const { files, entries } = planArtifacts(artifacts, adapter, { on_clash: 'fail' });
  const looks = listPathsToRead(adapter.adopt ?? []);
  mkdirSync(folder, { recursive: true });
  const person = new UserFiles(folder);
  const read = files.filter((file) => isRead(file.path, looks) && !isOwnProgram(file));
  for (const { path, bytes, executable } of read) {
    person.write(path, path.endsWith('.json') ? person.ownHooks(bytes) : bytes, executable);
  }
  for (const [path, group] of Map.groupBy(entries, (planned) => planned.path)) {
    if (isRead(path, looks)) person.write(path, person.settings(path, group), false);
  }
  return { files: person.written, unread: files.length - read.length };
}

/** True for a program that runs catalog's hooks, which a user's workspace does not contain. */
function isOwnProgram({ bytes, executable }: { bytes: Uint8Array; executable: boolean }): boolean {
  return executable && new TextDecoder().decode(bytes).includes('.catalog/hooks/');
}

function fixtureArtifacts(): Artifact[] {
  const snapshots = loadFixture('everything');
  const { artifacts } = decideSnapshots(snapshots, { capabilities: harnessCapabilities() });
  return effectiveView(
    artifacts,
    snapshots.map(({ layer }) => layer),
  );
}

export function isRead(path: string, { folders, files }: WorkspacePaths): boolean {
  return files.includes(path) || folders.some((folder) => path.startsWith(`${folder}/`));
}

/** Writes files like a user would; each hook gets its own script. */
class UserFiles {
  readonly #folder: string;
  #scripts = 0;
  written = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  write(path: string, content: string | Uint8Array, executable: boolean): void {
    const at = join(this.#folder, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, content);
    if (executable) chmodSync(at, 0o755);
    this.written += 1;
  }

  /** Returns a settings or text file with these entries, without ownership markers. */
  settings(path: string, group: readonly PlannedEntry[]): string {
    const entries = group.map(({ entry }) => entry);
    const blocks = entries.flatMap(({ shape, value }) =>
      shape === 'block' && typeof value === 'string' ? [value] : [],
    );
    if (blocks.length > 0) return blocks.join('\n');
    const own = entries.map((entry) => ({
      ...entry,
      recorded: 'lock' as const,
      value: this.#withOwnCommands(entry.value),
    }));
    return editManagedFile(undefined, own, undefined, path).text ?? '';
  }

  ownHooks(bytes: Uint8Array): string {
    const value: Json = JSON.parse(new TextDecoder().decode(bytes));
    return `${JSON.stringify(this.#withOwnCommands(value), null, 2)}\n`;
  }

  #withOwnCommands(value: Json): Json {
    if (typeof value === 'string') return value.includes('.catalog/') ? this.#script() : value;
    if (Array.isArray(value)) return value.map((item) => this.#withOwnCommands(item));
    if (!isJsonObject(value)) return value;
    const { [TAG_KEY]: _mark, ...own } = value;
    // A user has one command; removes the Windows form that catalog adds.
    const members = Object.entries(own).filter(([key, item]) => !isAddedForm(key, item));
    return Object.fromEntries(members.map(([key, item]) => [key, this.#withOwnCommands(item)]));
  }

  /** Creates a script that saves its input, prints its name, and blocks the action. */
  #script(): string {
    this.#scripts += 1;
    const path = `${SCRIPTS}/hook-${this.#scripts}.sh`;
    const text = `#!/bin/sh\ncat > "$SEEN"\necho "hook-${this.#scripts} says no" >&2\nexit 2\n`;
    this.write(path, text, true);
    return `sh ${path}`;
  }
}
