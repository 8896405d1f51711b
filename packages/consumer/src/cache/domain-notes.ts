import { MAX_RECORD_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { isRecord } from '../identity/stored-tokens.ts';
import { partPath, writeCacheFile } from './cache-folder.ts';
import { viewerName, type Viewer } from './manifest-cache.ts';

export interface DomainNote {
  path: string;
  description: string;
  keywords: readonly string[];
}

export function listDomainNotes(folder: string, viewer: Viewer): DomainNote[] {
  try {
    const file = readRegularFile(partPath(folder, 'index', nameOf(viewer)), MAX_RECORD_BYTES);
    const notes: unknown = JSON.parse(file.toString('utf8'));
    return Array.isArray(notes) ? notes.filter(isNote) : [];
  } catch {
    return [];
  }
}

/** Adds domains to the recorded ones. If two processes write, the last one wins. */
export function recordDomains(
  folder: string,
  viewer: Viewer,
  notes_received: readonly DomainNote[],
): void {
  if (notes_received.length === 0) return;
  const before = listDomainNotes(folder, viewer);
  const notes = new Map(before.map((note) => [note.path, note]));
  for (const { path, description, keywords } of notes_received) {
    const known = notes.get(path)?.keywords ?? [];
    // Only the requested domain of a response has keywords.
    notes.set(path, { path, description, keywords: keywords.length === 0 ? known : keywords });
  }
  const text = JSON.stringify([...notes.values()]);
  if (text === JSON.stringify(before)) return;
  writeCacheFile(folder, 'index', nameOf(viewer), Buffer.from(text));
}

/** Returns the file of a viewer, which signing out removes. */
function nameOf(viewer: Viewer): string {
  return `${viewerName(viewer)}.domains`;
}

function isNote(value: unknown): value is DomainNote {
  if (!isRecord(value)) return false;
  const { path, description, keywords } = value;
  return (
    typeof path === 'string' &&
    typeof description === 'string' &&
    Array.isArray(keywords) &&
    keywords.every((word) => typeof word === 'string')
  );
}
