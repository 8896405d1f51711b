import { VERSION } from '@catalog/contract/version';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { getFingerprint, isRacy, type Fingerprint } from '@catalog/core/node/fingerprint';
import type { FingerprintedEntry } from '@catalog/core/node/read-layer';
import { loadAdapter } from '@catalog/harness/registry';
import { now } from '../clock.ts';
import type { MaterializeHook, ResolvedTarget } from '../config/types.ts';
import { openLocalState } from '../lock/local-state.ts';
import type { LockFile } from '../lock/types.ts';
import type { CatalogSource, SourceStamp } from '../source/catalog-source.ts';
import { sameSeen } from '../source/same-seen.ts';
import { getIndex, writeIndex, type SyncIndex } from './index-file.ts';
import { getJournal } from './journal.ts';
import type { DirectoryPlan } from './plan-directory.ts';
import type { TargetReport } from './report.ts';
import type { SyncRun } from './sync-options.ts';
import { userSettings } from './user-settings.ts';

const LOCK = '.catalog/sync.lock';

/**
 * Returns the last reports if configuration, sources and managed files are unchanged. Reads only the index and recently
 * changed files.
 */
export async function getCurrentReports(
  run: SyncRun,
  folders: ReadonlyMap<string, readonly ResolvedTarget[]>,
  signal?: AbortSignal,
): Promise<TargetReport[] | undefined> {
  const { options, source } = run;
  const special = [
    options.rewrite_lock,
    options.update,
    options.toggle,
    options.locked,
    options.context_tokens,
    options.release,
    options.take_over,
    options.recover,
    options.accept_changed,
    options.approve,
    options.strict,
  ];
  if (special.some((option) => option !== undefined && option !== false)) return undefined;
  const reports: TargetReport[] = [];
  const stamps: SourceStamp[] = [];
  for (const [directory, targets] of folders) {
    const state = openLocalState(directory, run.config.home);
    if (getJournal(state) !== undefined) return undefined;
    const index = getIndex(state);
    if (index?.key !== indexKey(run, targets)) return undefined;
    if (!sameSeen(index.outputs, statOutputs(directory, index), (path) => `${directory}/${path}`)) {
      return undefined;
    }
    stamps.push(index.source);
    reports.push(...index.reports);
  }
  // Each folder has the fingerprint of its own last run.
  return (await source.isCurrent(stamps, signal)) ? reports : undefined;
}

function statOutputs(directory: string, index: SyncIndex): FingerprintedEntry[] {
  return index.outputs.map(({ path }) => ({
    path,
    fingerprint: getFingerprint(`${directory}/${path}`),
  }));
}

/** Hashes all inputs of a run except the files that it reads. */
export function indexKey(
  { config, adapters, options }: SyncRun,
  targets: readonly ResolvedTarget[],
): string {
  return bytesHash(
    JSON.stringify({
      program: VERSION,
      registry: config.registry?.value,
      overlay: config.overlay?.value,
      unsupported: config.unsupported.value,
      on_clash: config.on_clash.value,
      scope: config.scope,
      registry_origin: config.registry?.origin.kind,
      content_rules: config.content_rules,
      signing: config.signing,
      hooks: config.materialize_hooks.map(hookKey),
      runtime_ignored: options.ignore_runtime === true,
      toggles_kept: options.keep_toggles === true,
      configured: config.configured_targets,
      targets: targets.map((target) => {
        const adapter = loadAdapter(target.harness, config.scope, adapters, process.platform);
        return {
          ...target,
          revision: adapter.revision,
          adapter: adapters.get(target.harness)?.text_hash,
          settings: userSettings(adapter, target.directory, config.home),
        };
      }),
    }),
  );
}

/**
 * Returns the key of a hook. It covers the files that the command names, because a changed script has other results.
 */
function hookKey({ run, sandbox, types, harnesses }: MaterializeHook): object {
  const files = run.filter((word) => word.startsWith('/')).map(getFingerprint);
  return { run, sandbox, types, harnesses, files };
}

/** Writes the index of a complete run. */
export function rememberRun(
  plan: DirectoryPlan,
  reports: readonly TargetReport[],
  source: CatalogSource,
  remembered: { key: string; lock_hash: string | undefined },
): void {
  const { directory, state } = plan;
  const hashes = outputHashes(plan).set(LOCK, remembered.lock_hash ?? '');
  const isSaved = savedSince(plan);
  const outputs = [...hashes].map(([path, hash]): FingerprintedEntry => {
    const fingerprint = getFingerprint(`${directory}/${path}`);
    if (fingerprint === undefined) return { path, fingerprint };
    const isOpen = isRacy(fingerprint, now()) || isSaved(path, fingerprint);
    return isOpen ? { path, fingerprint, hash } : { path, fingerprint };
  });
  const owned = pathsByTarget(plan.lock);
  const unchanged_reports = reports.map((report) => ({
    ...report,
    moved: [],
    changes: [],
    claimed: [],
    backups: undefined,
    put_back: undefined,
    kept: [],
    replaced: undefined,
    toggles_reset: undefined,
    unexpected_changes: undefined,
    unchanged: owned.get(report.target)?.size ?? 0,
  }));
  const { key } = remembered;
  writeIndex(state, { key, source: source.stamp(), outputs, hashes, reports: unchanged_reports });
}

function savedSince({
  desired,
  files,
}: DirectoryPlan): (path: string, now: Fingerprint) => boolean {
  const written = new Set(files.writes.map(({ path }) => path));
  return (path, now) => {
    const size = desired.files.get(path)?.bytes.length;
    if (size !== undefined && now.size !== size) return true;
    const seen = files.seen.get(path);
    if (seen === undefined || written.has(path)) return false;
    const { inode, mtime } = seen.fingerprint;
    return inode !== now.inode || mtime !== now.mtime;
  };
}

function pathsByTarget({ files, entries }: LockFile): Map<string, Set<string>> {
  const paths = new Map<string, Set<string>>();
  for (const { target, path } of [...files, ...entries]) {
    const own = paths.get(target);
    if (own === undefined) paths.set(target, new Set([path]));
    else own.add(path);
  }
  return paths;
}

/** Hashes the files that the run inspected. A skipped file may contain an edit of the user. */
function outputHashes({ desired, shared }: DirectoryPlan): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const [path, { hash }] of desired.files) hashes.set(path, hash);
  for (const { path, text, before, changed } of shared) {
    const hash = changed && text !== undefined ? bytesHash(text) : before;
    if (text !== undefined && hash !== undefined) hashes.set(path, hash);
  }
  return hashes;
}
