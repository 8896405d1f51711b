import { mkdirSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Artifact } from '@catalog/core/artifact/types';
import { executableCapabilities } from '@catalog/core/capabilities/executable-capabilities';
import { shellWord } from '@catalog/core/text/shell-word';
import { parentPath } from '@catalog/core/text/slash-path';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { planWorkspace, type ExistingSkillFolders } from '@catalog/harness/plan';
import type { Plan } from '@catalog/harness/planned';
import type { Config } from '../config/types.ts';
import { acquireTargetLock } from '../lock/acquire-target-lock.ts';
import { adapters as builtIn } from '@catalog/harness/registry';
import { openRowOwnership } from '../lock/owns-path.ts';
import { openLocalState, type LocalState } from '../lock/local-state.ts';
import { loadedOwner } from '../lock/loaded-owner.ts';
import { requireLock, type KnownLock } from '../lock/require-lock.ts';
import type { LockFile } from '../lock/types.ts';
import { refuseDirectory } from '../paths/refuse-directory.ts';
import type { LoadedArtifact } from '../runtime/runtime-registry.ts';
import { readApprovals } from '../trust/approvals-file.ts';
import { approveContent, NO_CONTENT, type ApprovedContent } from '../trust/approve-content.ts';
import { chosenByUser } from '../trust/approve-folder.ts';
import { openContentPolicy } from '../trust/content-policy.ts';
import { inspectContent } from '../trust/inspect-content.ts';
import { findRunByOthers } from '../trust/run-by-others.ts';
import { applyDirectory } from '../sync/apply-directory.ts';
import type { Owner } from '../sync/desired-state.ts';
import { changedMeanwhile } from '../sync/changed-meanwhile.ts';
import { getJournal } from '../sync/journal.ts';
import { clearInterrupted } from '../sync/leftover-files.ts';
import { planDirectory } from '../sync/plan-directory.ts';
import { refuseUntranslatable } from '../sync/refuse-untranslatable.ts';
import { checkPlan, type CheckedPlan } from '../sync/safety/safety-rules.ts';
import { writingTo } from '../sync/target-error.ts';
import { refuseUnexpected } from './refuse-unexpected.ts';
import { howToUse } from './how-to-use.ts';
import type { Materialized, MaterializeRequest, MaterializeRun } from './materialized.ts';
import { openPreparation } from './preparation.ts';

/** Maximum wait for the lock, because hosts cancel a call after a minute or less. */
const DEFAULT_WAIT_MS = 10_000;

export interface Writing {
  loaded: LoadedArtifact;
  version: string | undefined;
  confirmContent: MaterializeRequest['confirmContent'];
  adapter: HarnessAdapter;
  config: Config;
  root: string;
  run: MaterializeRun;
}

/**
 * Writes an artifact with the code of sync: under the same lock, never over a file of the user, and with rows of its
 * own in the lock file.
 */
export async function writeLoaded(writing: Writing, signal?: AbortSignal): Promise<Materialized> {
  const { adapter, root, run } = writing;
  const { wait_ms = DEFAULT_WAIT_MS, onProgress } = run;
  // Checks and hooks may be slow, so the folder is locked later.
  const artifact = await prepare(writing, signal);
  const content = await approveLoaded(artifact, writing, signal);
  const hold = await writingTo(root, async () => {
    refuseDirectory(root, root, 'target');
    mkdirSync(root, { recursive: true });
    return acquireTargetLock(root, { wait_ms }, signal);
  });
  try {
    const state = openLocalState(root, writing.config.home);
    const rescued = clearInterrupted(state, getJournal(state));
    const known = requireLock(
      state,
      openRowOwnership(new Map([...builtIn, [adapter.id, adapter]])),
    );
    await refuseUnexpected(known.lock, writing, signal);
    const plan = planFor(artifact, known.lock, writing);
    refuseRunByOthers(plan, writing);
    const progress = onProgress === undefined ? {} : { onProgress };
    const options = { folder: chosenByUser(root), content, rewrite_lock: false, ...progress };
    const planned = planLoaded(known, plan, writing, state);
    const { kept, changed_meanwhile } = await writingTo(root, () =>
      applyDirectory(planned, options, signal),
    );
    const copies = [...rescued, ...kept];
    if (changed_meanwhile.length > 0) throw changedMeanwhile(root, changed_meanwhile, copies);
    const files = pathsOf(plan);
    const places = files.map((path) => `${root}/${path}`);
    const use = howToUse(artifact, adapter.id, places);
    return { kind: 'written', root, files, use, kept: copies };
  } finally {
    hold.release();
  }
}

async function prepare(
  { loaded, adapter, config, run }: Writing,
  signal?: AbortSignal,
): Promise<Artifact> {
  const { ignore_runtime = false } = run;
  const { checkRuntime, hooks } = await openPreparation(config, { ignore_runtime }, signal);
  await checkRuntime([loaded.artifact]);
  const [shown = loaded.artifact] = await hooks.apply([loaded.artifact], adapter, signal);
  return shown;
}

async function approveLoaded(
  artifact: Artifact,
  { loaded, config, confirmContent, run }: Writing,
  signal?: AbortSignal,
): Promise<ApprovedContent> {
  if (executableCapabilities(artifact).length === 0) return NO_CONTENT;
  const { registry, registry_origin, write_all } = run;
  const registry_rules = await run.registryRules?.(signal);
  const { layer, overlay } = loaded;
  const policy = openContentPolicy(
    { ...config, registry: { value: registry, origin: registry_origin } },
    // An artifact of the overlay may extend one of the registry.
    overlay === true
      ? { registry_rules, overlay_layer: layer, extending: new Set([artifact.id]) }
      : { registry_rules },
    'agent',
  );
  const approvals = readApprovals(config.approvals_file);
  const inspected = [inspectContent({ ...artifact, layer }, policy, approvals)];
  return approveContent({ written: inspected, delivered: inspected }, config, {
    write_all,
    confirmContent: ({ artifacts }) => Promise.resolve(artifacts.every(confirmContent)),
    adviseApproval: () =>
      `Show this to the user; do not write the files yourself. The user can approve it with \`catalog trust approve ${shellWord(artifact.id)} --registry ${shellWord(registry)}\`; then load the artifact again.`,
  });
}

/** Throws if the plan writes files that other programs run, unless the harness has fixed paths. */
function refuseRunByOthers(plan: Plan, { adapter, root, config }: Writing): void {
  if (adapter.id !== 'none') return;
  const path = findRunByOthers(root, pathsOf(plan), config);
  if (path === undefined) return;
  throw new CatalogError(
    'materialize.target_invalid',
    `${root}/${path} is in a folder from which other programs run files, so an agent cannot write it.`,
    {
      details: { path: `${root}/${path}` },
      suggested_action: 'Name another destination, or use the content of the artifact.',
    },
  );
}

function planFor(artifact: Artifact, lock: LockFile, { adapter, config }: Writing): Plan {
  const { id } = artifact;
  const on_clash = config.on_clash.value;
  const held = heldSkills(lock, { target: loadedOwner(adapter.id, lock), id });
  function planAs(qualified: readonly string[]): Plan {
    const requests = [{ adapter, artifacts: [artifact] }];
    const plans = planWorkspace(requests, { on_clash, qualified }, held);
    refuseUntranslatable(plans);
    const [plan] = plans;
    if (plan === undefined) throw new Error('one request makes one plan');
    return plan;
  }
  const plan = planAs([]);
  return on_clash === 'qualify' && isInTheWay(lock, plan, id) ? planAs([id]) : plan;
}

interface EntryPlace {
  path: string;
  container: readonly string[];
  key: string;
}

function isInTheWay(lock: LockFile, { files, entries }: Plan, id: string): boolean {
  const paths = new Set(files.filter(({ shared }) => shared !== true).map(({ path }) => path));
  const keys = new Set(entries.map(({ path, entry }) => placeOf({ ...entry, path })));
  return (
    lock.files.some((row) => row.id !== id && paths.has(row.path)) ||
    lock.entries.some((row) => row.id !== id && keys.has(placeOf(row)))
  );
}

function placeOf({ path, container, key }: EntryPlace): string {
  return JSON.stringify([path, ...container, key]);
}

const SKILL_FILE = '/SKILL.md';

function heldSkills({ files, pre_existing }: LockFile, owner: Owner): ExistingSkillFolders {
  const places = [...files, ...pre_existing]
    .filter(({ path, id }) => id === owner.id && path.endsWith(SKILL_FILE))
    .filter(({ target }) => target !== owner.target)
    .map(({ path }) => parentPath(path));
  return places.length === 0 ? new Map() : new Map([[owner.id, places]]);
}

/** Plans the change. Only rows of this artifact as a loaded one change. */
function planLoaded(
  { lock, lock_hash, ignored, record }: KnownLock,
  plan: Plan,
  writing: Writing,
  state: LocalState,
): CheckedPlan {
  const { loaded, adapter, run } = writing;
  const { id, version, content_hash } = loaded.artifact;
  const target = loadedOwner(adapter.id, lock);
  const locked = { id: target, registry: run.registry, harness: adapter.id };
  const planned = planDirectory({
    state,
    lock,
    lock_hash,
    journal: getJournal(state),
    index: undefined,
    targets: [
      {
        locked,
        artifacts: [{ target, id, version, layer: loaded.layer, content_hash }],
        plan,
        skipped: [],
        frozen: new Set(),
      },
    ],
    isCarried: (owner) => owner.target !== target || owner.id !== id,
    toggles: lock.toggles,
    record,
    ignored,
  });
  const targets = [locked, ...lock.targets.filter((row) => row.id !== target)];
  return checkPlan({ ...planned, lock: { ...planned.lock, targets } });
}

function pathsOf({ files, entries }: Plan): string[] {
  return [...new Set([...files, ...entries].map(({ path }) => path))];
}
