import { matchesPin, parsePin } from '@catalog/core/version/pin';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { isLoadedBy, loadedOwner } from '../lock/loaded-owner.ts';
import type { LockFile } from '../lock/types.ts';
import { acceptFlags, refusalError } from '../sync/describe-change.ts';
import { findUnexpectedChanges, type UnexpectedChange } from '../sync/find-unexpected-changes.ts';
import { judgeChanges } from '../sync/judge-changes.ts';
import type { MaterializeRequest, MaterializeRun } from './materialized.ts';

interface LoadedWrite extends Pick<MaterializeRequest, 'loaded' | 'version'> {
  adapter: Pick<HarnessAdapter, 'id'>;
  root: string;
  run: Pick<MaterializeRun, 'registry' | 'listVersions'>;
}

/**
 * Throws if the registry rewrote or downgraded an artifact (SPEC-84), which only the user can accept. A version that
 * the agent requested is not a downgrade.
 */
export async function refuseUnexpected(
  lock: LockFile,
  { loaded, version = '', adapter, root, run }: LoadedWrite,
  signal?: AbortSignal,
): Promise<void> {
  if (loaded.overlay === true) return;
  const { registry, listVersions } = run;
  const target = loadedOwner(adapter.id, lock);
  const artifacts = [{ ...loaded.artifact, layer: loaded.layer }];
  const pin = parsePin(version);
  const changes = findUnexpectedChanges({ target, registry, artifacts }, lock).filter(
    ({ kind, locked, locked_hash }) =>
      kind === 'rewritten' || matchesPin(pin, { version: locked, content_hash: locked_hash }),
  );
  const { refused } = await judgeChanges(changes, { listVersions }, signal);
  if (refused.length === 0) return;
  const suggested_action = adviseUser(refused, loaded.artifact.id, lock);
  throw refusalError({ directory: root, registry, refused, suggested_action });
}

/** Returns advice: the user can accept the change in a sync, or release the copy of an agent. */
function adviseUser(
  refused: readonly UnexpectedChange[],
  id: string,
  { artifacts }: LockFile,
): string {
  const rows = artifacts.filter((row) => row.id === id);
  const flags = [
    ...(rows.some(({ target }) => isLoadedBy(target)) ? [`--release=${id}`] : []),
    ...(rows.some(({ target }) => !isLoadedBy(target)) ? acceptFlags(refused) : []),
  ];
  return `Show this to the user; do not accept it yourself. The user can accept the change with \`catalog sync ${flags.join(' ')}\`; then load the artifact again.`;
}
