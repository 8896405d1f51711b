import { mkdirSync, rmSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config, ConfigInput } from '@catalog/consumer/config/types';
import { saveToggles } from '@catalog/consumer/exclusions/save-toggles';
import { removeAll } from '@catalog/consumer/sync/remove';
import { runSync } from '@catalog/consumer/sync/run-sync';
import { undoLastSync } from '@catalog/consumer/sync/undo';
import { readTree, writeTree } from '@catalog/testkit/temporary-folder';

/** A file of catalog's, a file with entries, and a file with a block. */
export const SKILL = '.claude/skills/review/SKILL.md';
export const SERVERS = '.mcp.json';
export const RULES = 'AGENTS.md';
export const SETTINGS = '.catalog/sync.yaml';
export const LOCK = '.catalog/sync.lock';
/** A text of the user's that only one file has. */
export function ownText(path: string): string {
  return `written-by-the-user-in-${path}`;
}

/** A workspace and a registry that changes. */
export interface Place {
  work: string;
  input: ConfigInput;
  config(): Config;
  publish(edition: number, ids?: readonly string[]): void;
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

/** Saves an exclusion to the configuration. */
export function save({ input }: Place): Promise<unknown> {
  return saveToggles(input, { ids: ['ops/law'], state: 'disable' }, { wait_ms: 0 });
}

/** Takes the user's skill over. */
export function takeOver(place: Place): Promise<unknown> {
  return runSync(place.config(), { ...RUN, take_over: [SKILL] });
}

/** Syncs after the lock was lost. */
export function recover(place: Place): Promise<unknown> {
  return runSync(place.config(), { ...RUN, recover: true });
}

const RUN = { mode: 'sync', wait_ms: 0, yes: true, allow_removal: true } as const;

/** A first sync into a workspace whose shared files the user already has. */
export async function install(place: Place): Promise<void> {
  writeTree(place.work, {
    [SERVERS]: `{\n  // ${ownText(SERVERS)}\n  "mcpServers": {}\n}\n`,
    [RULES]: `# ${ownText(RULES)}\n`,
  });
  place.publish(1);
  await sync(place);
}

/** Runs a command that may be refused because of what the editor saved. */
export async function attempt(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
  }
}

/** Returns the texts that no file has which the user can find. */
export function listMissing({ work }: Place, texts: readonly string[]): string[] {
  const files = Object.values(readTree(work, ['.catalog/state']));
  return texts.filter((text) => !files.some((content) => content.includes(text)));
}
