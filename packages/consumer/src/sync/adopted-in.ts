import {
  findAdoptedEntries,
  settingsSources,
  type AdoptedEntry,
} from '@catalog/harness/adopt/adopted-entries';
import { listPathsToRead } from '@catalog/harness/adopt/list-paths-to-read';
import { wantedScripts } from '@catalog/harness/adopt/wanted-scripts';
import { loadAdapter } from '@catalog/harness/registry';
import type { KnownAdapters } from '../adapters/load-adapters.ts';
import { WorkspaceReader } from '../adopt/read-workspace.ts';
import type { Config } from '../config/types.ts';
import type { LockFile } from '../lock/types.ts';
import type { TargetPlan } from './plan-directory.ts';

interface AdoptedInput {
  config: Pick<Config, 'scope'>;
  adapters: KnownAdapters;
  lock: LockFile;
  takes_over: (path: string) => boolean;
}

/** Returns hooks and servers in files of `--take-over` that exist as artifacts too, and would therefore run twice. */
export function adoptedIn(
  directory: string,
  targets: readonly TargetPlan[],
  { config, adapters, lock, takes_over }: AdoptedInput,
): AdoptedEntry[] {
  const owned = { files: new Set(lock.files.map(({ path }) => path)), entries: lock.entries };
  const entries = targets.flatMap(({ locked, delivered = [] }) => {
    const { adopt = [] } = loadAdapter(locked.harness, config.scope, adapters, process.platform);
    const sources = settingsSources(adopt);
    const reader = new WorkspaceReader(directory);
    const { files } = reader.read(listPathsToRead(sources));
    reader.read({ folders: [], files: wantedScripts(sources, files) });
    return findAdoptedEntries(locked.harness, sources, { files, owned }, delivered);
  });
  const places = new Map(
    entries.map((one) => [JSON.stringify([one.path, one.entry.container, one.entry.key]), one]),
  );
  return [...places.values()].filter(({ path }) => takes_over(path));
}
