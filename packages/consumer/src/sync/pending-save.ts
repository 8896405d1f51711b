import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { MAX_TEXT_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { openLocalState, type LocalState } from '../lock/local-state.ts';
import { asideNeighbor } from './write-file.ts';

export const SAVES_FOLDER = 'saves';
export const PENDING_SUFFIX = '.pending';
export const ASIDE_FOLDER = 'aside';
export const RECORD_FILE = 'record.json';

/** Record of a file that is about to be replaced or removed. */
export interface SaveRecord {
  /** Path; relative inside the target, so that a workspace can be moved. */
  path: string;
  before: string;
  after?: string;
}

export interface RecordedSave extends SaveRecord {
  path: string;
  aside: string;
}

/** Lists the records, without links, which a clone can contain. */
export function listSaves({ folder }: LocalState): string[] {
  const saves = `${folder}/${SAVES_FOLDER}`;
  if (lstatSync(saves, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(saves, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** Reads a record; undefined if this user's catalog did not write it. */
export function getSave(state: LocalState, name: string): RecordedSave | undefined {
  const bytes = state.read(`${SAVES_FOLDER}/${name}/${RECORD_FILE}`);
  if (bytes === undefined) return undefined;
  const record: SaveRecord = JSON.parse(bytes.toString('utf8'));
  const path = isAbsolute(record.path) ? record.path : `${state.directory}/${record.path}`;
  // On another device, the file is first moved aside within its folder.
  const neighbor = asideNeighbor(path, name.replace(PENDING_SUFFIX, ''));
  const aside = `${state.folder}/${SAVES_FOLDER}/${name}/${ASIDE_FOLDER}`;
  return { ...record, path, aside: existsSync(neighbor) ? neighbor : aside };
}

/** Returns the content that the next run restores; undefined if there is none. */
export function readPendingSave(path: string, directory: string, home: string): string | undefined {
  const state = openLocalState(directory, home);
  const pending = listSaves(state).filter((name) => name.endsWith(PENDING_SUFFIX));
  for (const save of pending.map((name) => getSave(state, name))) {
    if (save?.path !== path || !existsSync(save.aside)) continue;
    return readRegularFile(save.aside, MAX_TEXT_BYTES).toString('utf8');
  }
  return undefined;
}
