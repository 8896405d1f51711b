import { basename, dirname } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { compileGlobs } from '@catalog/core/glob/glob';
import { writeFlow } from '@catalog/harness/managed/yaml/write-yaml';
import { loadConfig } from '../config/load-config.ts';
import { readSyncFile } from '../config/read-sync-file.ts';
import type { Config, ConfigInput } from '../config/types.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';
import { acquireTargetLock } from '../lock/acquire-target-lock.ts';
import { openLocalState, type LocalState } from '../lock/local-state.ts';
import { loadLock } from '../lock/read-lock.ts';
import type { LockFile } from '../lock/types.ts';
import type { CatalogListing } from '../source/catalog-source.ts';
import { openSource } from '../source/open-source.ts';
import { changedMeanwhile } from '../sync/changed-meanwhile.ts';
import { groupByDirectory } from '../sync/group-targets.ts';
import type { KeptFile } from '../sync/kept-files.ts';
import { unknownArtifact } from '../sync/safety/refuse-unknown.ts';
import { openSaver, recoverSaves } from '../sync/save-files.ts';
import type { SyncOptions } from '../sync/sync-options.ts';
import { writingTo } from '../sync/target-error.ts';
import { moveTrust } from '../trust/trust-file.ts';
import {
  addToExclude,
  excludeList,
  removeFromExclude,
  type ExcludeEdit,
} from './edit-exclude-list.ts';
import { readEditableFile, type EditableFile } from './editable-file.ts';
import { explainExclusion } from './explain-exclusion.ts';

export interface SaveRequest {
  ids: readonly string[];
  state: 'enable' | 'disable';
}

export interface SavedToggles {
  config: Config;
  file: string;
  changed: string[];
  /** Versions of the file that another program saved. */
  kept: KeptFile[];
}

type SaveOptions = IdentityOptions & Pick<SyncOptions, 'wait_ms' | 'onWait'>;

/**
 * Makes toggles permanent in `defaults.exclude` of the workspace's `sync.yaml`, and leaves all other bytes unchanged.
 * An edit without the intended effect is rejected before anything is written.
 */
export async function saveToggles(
  input: ConfigInput,
  request: SaveRequest,
  { signIn, wait_ms = 60_000, onWait }: SaveOptions,
  signal?: AbortSignal,
): Promise<SavedToggles> {
  const before = loadConfig(input);
  const { workspace } = before;
  const source = await openSource(before, { signIn });
  const listing = await source.list(signal);
  // A rejected change must not create the folder of the mutex.
  prepare(input, request, listing);
  const held = onWait === undefined ? { wait_ms } : { wait_ms, onWait };
  const hold = await writingTo(workspace, () => acquireTargetLock(workspace, held, signal));
  try {
    const state = openLocalState(workspace, before.home);
    // Restores a file that an interrupted run moved aside.
    const rescued = recoverSaves(state);
    const prepared = prepare(input, request, listing);
    const written = await writingTo(workspace, () => Promise.resolve(write(prepared, state)));
    const { file, changed } = prepared;
    return { config: prepared.config, file: file.path, changed, kept: [...rescued, ...written] };
  } finally {
    hold.release();
  }
}

interface Prepared {
  config: Config;
  file: EditableFile;
  /** New content; undefined if nothing changes. */
  text: string | undefined;
  changed: string[];
}

function prepare(input: ConfigInput, request: SaveRequest, listing: CatalogListing): Prepared {
  const before = loadConfig(input);
  const file = readEditableFile(before.workspace_file, before.workspace);
  const { path, text } = file;
  const listed = text === undefined ? [] : excludeList(readSyncFile(text, path));
  const { ids, state } = request;
  // An exclusion can be removed even if its artifact no longer exists.
  const named = state === 'disable' ? ids : ids.filter((id) => !listed.includes(id));
  const unknown = unknownArtifact(named, { listing, lock: deliveredBy(before) });
  if (unknown !== undefined) throw unknown;
  const isExcluded = compileGlobs(listed, 'scope');
  const changed = [...new Set(ids)].filter((id) =>
    state === 'disable' ? !isExcluded(id) : listed.includes(id),
  );
  if (changed.length === 0) {
    refuseLeftOut(before, request, listing);
    return { config: before, file, text: undefined, changed };
  }
  const edit = file.problem === undefined ? editList(file, changed, state) : undefined;
  if (edit?.kind !== 'edited') throw uneditable(path, edit?.reason ?? file.problem ?? '', request);
  const config = loadConfig({ ...input, edited: { path, text: edit.text } });
  refuseLeftOut(config, request, listing);
  return { config, file, text: edit.text, changed };
}

function deliveredBy({ targets }: Config): Pick<LockFile, 'artifacts'> {
  const folders = [...groupByDirectory(targets).keys()];
  return { artifacts: folders.flatMap((folder) => loadLock(folder).artifacts) };
}

function editList(
  { path, text }: EditableFile,
  ids: readonly string[],
  state: SaveRequest['state'],
): ExcludeEdit {
  return state === 'disable'
    ? addToExclude(text, ids, path)
    : removeFromExclude(text ?? '', ids, path);
}

function refuseLeftOut(
  config: Config,
  { ids, state }: SaveRequest,
  { entries }: CatalogListing,
): void {
  if (state === 'disable') return;
  for (const entry of entries.filter(({ id }) => ids.includes(id))) {
    const reason = explainExclusion(config, entry);
    if (reason === undefined) continue;
    throw new CatalogError(
      'config.invalid',
      `Cannot include ${entry.id} permanently: ${reason} excludes it. Nothing was changed.`,
      {
        details: { file: config.workspace_file, value: entry.id },
        suggested_action: `Change that setting by hand, or run \`catalog sync enable ${entry.id}\` to include it until the next plain sync.`,
      },
    );
  }
}

/** Writes the file and returns versions of the user that were moved to another path. */
function write({ config, file, text }: Prepared, state: LocalState): KeptFile[] {
  if (text === undefined) return [];
  const { path, mode } = file;
  const before = file.text === undefined ? undefined : bytesHash(file.text);
  const saver = openSaver(state);
  const outcome = saver.save(path, { bytes: Buffer.from(text), mode, durable: true }, before);
  if (outcome === 'changed') throw changedMeanwhile(dirname(path), [basename(path)], saver.kept);
  if (before !== undefined)
    moveTrust(config.trust_file, path, { from: before, to: bytesHash(text) });
  return saver.kept;
}

function uneditable(path: string, reason: string, { ids, state }: SaveRequest): CatalogError {
  const action =
    state === 'disable'
      ? `Add \`exclude: ${writeFlow([...ids])}\` under \`defaults\` in ${path} by hand, or add the ids to the existing list`
      : `Remove ${ids.join(', ')} from \`exclude\` under \`defaults\` in ${path} by hand`;
  return new CatalogError(
    'materialize.target_invalid',
    `Cannot edit ${path}: ${reason} Nothing was changed.`,
    { details: { path }, suggested_action: `${action}, then run \`catalog sync\`.` },
  );
}
