import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { MAX_TEXT_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { openLocalState, type LocalState } from '../lock/local-state.ts';
import { asideNeighbor } from './write-file.ts';

/** Folder for files that a save replaced, below the state folder. */
export const SAVES = 'saves';
/** End of the name of the folder of a save that is not complete. */
export const PENDING = '.pending';
/** Name of the file that was moved aside, in the folder of its save. */
export const ASIDE = 'aside';
export const RECORD = 'record.json';

/** The file that a save replaces or removes, recorded before the file is moved. */
export interface SaveRecord {
  /** Absolute path, or relative to the target if it is below it: a workspace can move. */
  path: string;
  /** Hash of the content that the caller checked. */
  before: string;
  /** Hash of the new content; absent if the file is removed. */
  after?: string;
}

/** A recorded save and where its parts are. */
export interface RecordedSave extends SaveRecord {
  /** Absolute path of the file. */
  path: string;
  /** Absolute path of the replaced file, which may be missing. */
  aside: string;
}

/** Returns the names of the folders of saves. A clone can contain links here, which count as nothing. */
export function listSaves({ folder }: LocalState): string[] {
  const saves = `${folder}/${SAVES}`;
  if (lstatSync(saves, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(saves, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** Returns a save by the name of its folder; undefined if this user's catalog did not write its record. */
export function getSave(state: LocalState, name: string): RecordedSave | undefined {
  const bytes = state.read(`${SAVES}/${name}/${RECORD}`);
  if (bytes === undefined) return undefined;
  const record: SaveRecord = JSON.parse(bytes.toString('utf8'));
  const path = isAbsolute(record.path) ? record.path : `${state.directory}/${record.path}`;
  // On another device than the state folder, the file is first moved aside next to its path.
  const neighbor = asideNeighbor(path, name.replace(PENDING, ''));
  const aside = `${state.folder}/${SAVES}/${name}/${ASIDE}`;
  return { ...record, path, aside: existsSync(neighbor) ? neighbor : aside };
}

/**
 * Returns the content of a file that an interrupted save moved aside and the next run puts back;
 * undefined if there is none.
 */
export function readPendingSave(path: string, directory: string, home: string): string | undefined {
  const state = openLocalState(directory, home);
  const pending = listSaves(state).filter((name) => name.endsWith(PENDING));
  for (const save of pending.map((name) => getSave(state, name))) {
    if (save?.path !== path || !existsSync(save.aside)) continue;
    return readRegularFile(save.aside, MAX_TEXT_BYTES).toString('utf8');
  }
  return undefined;
}
