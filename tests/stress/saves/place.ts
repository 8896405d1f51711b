import { mkdirSync, rmSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config, ConfigInput } from '@catalog/consumer/config/types';
import { materializeLoaded } from '@catalog/consumer/materialize/materialize-loaded';
import { saveToggles } from '@catalog/consumer/exclusions/save-toggles';
import { removeAll } from '@catalog/consumer/sync/remove';
import { runSync } from '@catalog/consumer/sync/run-sync';
import {
  removeManualEntry,
  writeManualEntry,
  type ManualEntry,
} from '@catalog/consumer/sync/manual-entry';
import { undoLastSync } from '@catalog/consumer/sync/undo';
import type { Artifact } from '@catalog/core/artifact/types';
import { registerMcp } from '@catalog/harness/mcp-registration';
import { adapters, loadAdapter } from '@catalog/harness/registry';
import { artifactOf } from '@catalog/testkit/authored-package';
import { readTree, writeTree, type FileTree } from '@catalog/testkit/temporary-folder';

/** A file of catalog, a file with entries, and a file with a block. */
export const SKILL = '.claude/skills/review/SKILL.md';
export const SERVERS = '.mcp.json';
export const RULES = 'AGENTS.md';
export const SETTINGS = '.catalog/sync.yaml';
export const LOCK = '.catalog/sync.lock';
export function ownText(path: string): string {
  return `written-by-the-user-in-${path}`;
}

export const OWN_FILES: FileTree = {
  [SERVERS]: `{\n  // ${ownText(SERVERS)}\n  "mcpServers": {}\n}\n`,
  [RULES]: `# ${ownText(RULES)}\n`,
};

export interface Place {
  work: string;
  input: ConfigInput;
  config(): Config;
  publish(edition: number, ids?: readonly string[]): void;
  artifact(id: string): Artifact;
}

const AUTHORS: Readonly<Record<string, (edition: number) => Record<string, string>>> = {
  review: (edition) => ({
    'ARTIFACT.md': `---\ntype: skill\nversion: 1.0.${edition}\n---\n`,
    'SKILL.md': `---\nname: review\ndescription: Reviews a pull request.\n---\nDo it ${edition}.\n`,
  }),
  db: (edition) => ({
    'ARTIFACT.md': `---\ntype: mcp-server\nname: db\nversion: 1.0.${edition}\ndescription: Access to the database.\nserver_identifier: npx:db-${edition}\n---\n`,
  }),
  law: (edition) => ({
    'ARTIFACT.md': `---\ntype: rule\nversion: 1.0.${edition}\ndescription: A rule for all.\nrule_mode: always\n---\nRule ${edition}.\n`,
  }),
};

export function openPlace(root: string): Place {
  const work = `${root}/work`;
  const registry = `${root}/registry`;
  mkdirSync(work, { recursive: true });
  const env = { CATALOG_REGISTRY: registry, CATALOG_HARNESS: 'claude-code,codex' };
  const input = { cwd: work, home: `${root}/home`, env, flags: {} };
  return {
    work,
    input,
    config: () => loadConfig(input),
    publish: (edition, ids = Object.keys(AUTHORS)) => {
      rmSync(registry, { recursive: true, force: true });
      writeTree(registry, { '.keep': '' });
      for (const id of ids) {
        const files = Object.entries(AUTHORS[id]?.(edition) ?? {});
        const placed = files.map(([path, text]) => [`ops/${id}/${path}`, text]);
        writeTree(registry, Object.fromEntries(placed));
      }
    },
    artifact: (id) => artifactOf(`ops/${id}`, readTree(`${registry}/ops/${id}`)),
  };
}

export function sync(place: Place): Promise<unknown> {
  return runSync(place.config(), RUN);
}

export function undo(place: Place): Promise<unknown> {
  return undoLastSync(place.config(), { dry_run: false, wait_ms: 0 });
}

export function remove(place: Place): Promise<unknown> {
  return removeAll(place.config(), { dry_run: false, wait_ms: 0 });
}

export function save({ input }: Place): Promise<unknown> {
  return saveToggles(input, { ids: ['ops/law'], state: 'disable' }, { wait_ms: 0 });
}

export function takeOver(place: Place): Promise<unknown> {
  return runSync(place.config(), { ...RUN, take_over: [SKILL] });
}

export function recover(place: Place): Promise<unknown> {
  return runSync(place.config(), { ...RUN, recover: true });
}

export function load(place: Place, id: string, harness: string): Promise<unknown> {
  const loaded = { artifact: place.artifact(id), layer: 'base', deprecated: false };
  return materializeLoaded(
    { loaded, harness, destination: undefined, roots: [], confirmContent: () => true },
    {
      surroundings: place.input,
      registry: 'http://127.0.0.1:8080',
      registry_origin: { kind: 'env', name: 'CATALOG_REGISTRY' },
      materialize_root: place.work,
      write_all: true,
      wait_ms: 0,
    },
  );
}

/** Writes the entry of catalog-mcp, as `mcp config --write` does. */
export function writeEntry(place: Place, port: number): Promise<unknown> {
  return writeManualEntry(toEntry(place, port), { wait_ms: 0 });
}

/** Removes the entry of catalog-mcp, as `mcp config --remove` does. */
export function removeEntry(place: Place): Promise<unknown> {
  return removeManualEntry(toEntry(place, 8080), { wait_ms: 0 });
}

function toEntry({ work, input }: Place, port: number): ManualEntry {
  const harness = 'claude-code';
  const { path, entry } = registerMcp(loadAdapter(harness, 'workspace'), {
    registry: `http://127.0.0.1:${port}`,
    scope: 'project',
    system: 'linux',
  });
  return { directory: work, home: input.home, adapters, path, harness, entry };
}

const RUN = { mode: 'sync', wait_ms: 0, yes: true, allow_removal: true } as const;

/** Performs a first sync into a workspace in which the user already has the shared files. */
export async function install(place: Place): Promise<void> {
  writeTree(place.work, OWN_FILES);
  place.publish(1);
  await sync(place);
}

/** Runs a command that may be rejected because of a save. */
export async function attempt(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
  }
}

/** Returns the texts that no file of the workspace contains. Files in the state folder do not count. */
export function listMissing({ work }: Place, texts: readonly string[]): string[] {
  const files = Object.values(readTree(work, ['.catalog/state']));
  return texts.filter((text) => !files.some((content) => content.includes(text)));
}
