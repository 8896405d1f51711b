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

export interface Place {
  sync(options?: Partial<SyncOptions>): Promise<SyncReport>;
  refusal(): Promise<CatalogError>;
  edit(path: string, text: string): void;
  author(files: FileTree): void;
  withdraw(id: string): void;
  /** Returns all files in the workspace, including the lock but not the folder of the mutex. */
  all(): Record<string, string>;
  tree(): Record<string, string>;
}

/** Uses the home folder as the workspace for the scope `user`, whose user has consented. */
export function openPlace(
  harness: string,
  catalog: FileTree,
  workspace: FileTree = {},
  scope: WorkspaceScope = 'workspace',
): Place {
  const root = temporaryFolder();
  const [registry, target] = [`${root}/registry`, `${root}/work`];
  writeTree(registry, { '.keep': '', ...catalog });
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

export async function deliver(harness: string, catalog: FileTree): Promise<Place> {
  const place = openPlace(harness, catalog);
  await place.sync();
  return place;
}
