import { mkdirSync, rmSync } from 'node:fs';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { SyncReport } from '@catalog/consumer/sync/report';
import { runSync } from '@catalog/consumer/sync/run-sync';
import type { SyncOptions } from '@catalog/consumer/sync/sync-options';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { WorkspaceScope } from '@catalog/harness/registry';
import {
  readTree,
  temporaryFolder,
  writeTree,
  type FileTree,
} from '@catalog/testkit/temporary-folder';

/** A registry and a workspace that one harness is synced into. */
export interface Place {
  sync(options?: Partial<SyncOptions>): Promise<SyncReport>;
  /** Syncs, and returns the refusal it must end with. */
  refusal(): Promise<CatalogError>;
  /** What a person does to a file of the workspace. */
  edit(path: string, text: string): void;
  /** Writes to the registry. */
  author(files: FileTree): void;
  /** Takes an artifact out of the registry. */
  withdraw(id: string): void;
  /** Everything in the workspace but the folder of the mutex: the lock too. */
  all(): Record<string, string>;
  /** What is in the workspace beside catalog's own records. */
  tree(): Record<string, string>;
}

/** With the scope `user` the workspace is the home folder, and the person has agreed to that. */
export function openPlace(
  harness: string,
  catalogue: FileTree,
  workspace: FileTree = {},
  scope: WorkspaceScope = 'workspace',
): Place {
  const root = temporaryFolder();
  const [registry, target] = [`${root}/registry`, `${root}/work`];
  writeTree(registry, { '.keep': '', ...catalogue });
  mkdirSync(target);
  writeTree(target, workspace);
  const config = loadConfig({
    cwd: target,
    home: scope === 'user' ? target : `${root}/home`,
    env: { CATALOG_REGISTRY: registry, CATALOG_HARNESS: harness },
    flags: { scope },
  });
  const sync = (options: Partial<SyncOptions> = {}): Promise<SyncReport> =>
    runSync(config, { mode: 'sync', wait_ms: 0, yes: true, ...options });
  return {
    sync,
    async refusal() {
      try {
        await sync();
      } catch (error) {
        if (error instanceof CatalogError) return error;
        throw error;
      }
      throw new Error('it was not refused');
    },
    edit: (path, text) => writeTree(target, { [path]: text }),
    author: (files) => writeTree(registry, files),
    withdraw: (id) => rmSync(`${registry}/${id}`, { recursive: true }),
    all: () => readTree(target, ['.catalog/state']),
    tree: () => readTree(target, ['.catalog/sync.lock', '.catalog/state', '.catalog/state.key']),
  };
}

/** What a catalogue becomes in an empty workspace. */
export async function deliver(harness: string, catalogue: FileTree): Promise<Place> {
  const place = openPlace(harness, catalogue);
  await place.sync();
  return place;
}
