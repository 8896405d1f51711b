import { readFileSync } from 'node:fs';
import { loadAdapters } from '@catalog/consumer/adapters/load-adapters';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config } from '@catalog/consumer/config/types';
import { saveToggles } from '@catalog/consumer/exclusions/save-toggles';
import { openLocalState } from '@catalog/consumer/lock/local-state';
import type { CatalogSource } from '@catalog/consumer/source/catalog-source';
import { openFolderSource } from '@catalog/consumer/source/folder-source';
import { deliver } from '@catalog/consumer/sync/deliver';
import { getJournal } from '@catalog/consumer/sync/journal';
import { clearInterrupted } from '@catalog/consumer/sync/leftover-files';
import { groupByDirectory } from '@catalog/consumer/sync/group-targets';
import { removeAll } from '@catalog/consumer/sync/remove';
import { runSync } from '@catalog/consumer/sync/run-sync';
import type { SyncOptions } from '@catalog/consumer/sync/sync-options';
import { undoLastSync } from '@catalog/consumer/sync/undo';

export interface Place {
  /** Folder that catalog writes into. */
  directory: string;
  cwd: string;
  home: string;
  registry: string;
  /** State of an in-process registry with callers and versions; undefined for a folder registry. */
  served_file: string | undefined;
  scope: 'workspace' | 'user';
}

export interface ServedState {
  viewer: string;
  hidden: string[];
  versions: Record<string, string[]>;
}

export const SERVED_URL = 'https://registry.example';

export interface Command {
  name: 'sync' | 'remove' | 'undo';
  harness?: string;
  toggle?: { ids: string[]; state: 'enable' | 'disable'; save: boolean };
  flags?: Pick<
    SyncOptions,
    | 'take_over'
    | 'recover'
    | 'allow_removal'
    | 'accept_identity'
    | 'accept_changed'
    | 'allow_downgrade'
  >;
}

export async function runCommand(place: Place, command: Command): Promise<void> {
  const { cwd, home, scope } = place;
  const flags = command.harness === undefined ? {} : { harness: command.harness };
  // The user names the registry, so that its executable content needs no approval.
  const env = { CATALOG_REGISTRY: place.served_file === undefined ? place.registry : SERVED_URL };
  const input = { cwd, home, env, flags: { ...flags, scope } };
  const config = loadConfig(input);
  const trusted = { trust: true, wait_ms: 0 };
  if (command.name === 'remove') await removeAll(config, { ...trusted, dry_run: false });
  else if (command.name === 'undo') await undoLastSync(config, { ...trusted, dry_run: false });
  else {
    const options: SyncOptions = { mode: 'sync', yes: true, wait_ms: 0, ...command.flags };
    if (command.toggle === undefined) await sync(place, config, options);
    else await toggle(place, input, config, { ...options, keep_toggles: true }, command.toggle);
  }
}

export function repairInterrupted({ directory, home }: Place): void {
  const state = openLocalState(directory, home);
  clearInterrupted(state, getJournal(state));
}

async function toggle(
  place: Place,
  input: Parameters<typeof saveToggles>[0],
  config: Config,
  options: SyncOptions,
  { ids, state, save }: NonNullable<Command['toggle']>,
): Promise<void> {
  if (!save) return sync(place, config, { ...options, toggle: { ids, state } });
  const saved = await saveToggles(input, { ids, state }, { wait_ms: 0 });
  return sync(place, saved.config, { ...options, toggle: { ids, state: 'forget' } });
}

async function sync(place: Place, config: Config, options: SyncOptions): Promise<void> {
  const { registry, served_file } = place;
  if (served_file === undefined) {
    await runSync(config, options);
    return;
  }
  const source = openServed(registry, served_file);
  const adapters = await loadAdapters(config, options);
  await deliver({ config, adapters, source, options }, groupByDirectory(config.targets));
}

function openServed(registry: string, served_file: string): CatalogSource {
  const folder = openFolderSource(registry, undefined);
  const { viewer, hidden, versions }: ServedState = JSON.parse(readFileSync(served_file, 'utf8'));
  return {
    ...folder,
    registry: SERVED_URL,
    viewer: () => Promise.resolve(viewer),
    list: async () => {
      const listing = await folder.list();
      return { ...listing, entries: listing.entries.filter(({ id }) => !hidden.includes(id)) };
    },
    listVersions: async (id) => {
      const { entries } = await folder.list();
      const layer = entries.find((entry) => entry.id === id)?.layer ?? '';
      return (versions[id] ?? []).map((version) => ({
        version,
        layer,
        content_hash: `sha256:${'0'.repeat(64)}`,
        deprecated: false,
        withdrawn: false,
        latest: false,
        ingested_at: '2026-01-01T00:00:00Z',
      }));
    },
    isCurrent: () => Promise.resolve(false),
  };
}
