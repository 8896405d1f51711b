import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the web UI, ready to be sent. */
export interface PageFile {
  bytes: Uint8Array;
  media_type: string;
  etag: string;
}

/** By name. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Reads the page once: it is small, and the same for everybody. */
export function loadPageFiles(): PageFiles {
  const folder = findFolder();
  return new Map(readdirSync(folder).map((name) => [name, loadFile(join(folder, name))]));
}

/** Beside this file in the source tree; in a built program at its top, beside its parts. */
function findFolder(): string {
  const places = ['page', '../page'].map((path) => join(import.meta.dirname, path));
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error('The files of the web UI are missing.');
  return found;
}

function loadFile(path: string): PageFile {
  const bytes = readFileSync(path);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return { bytes, etag, media_type: MEDIA_TYPES[ending] ?? 'application/octet-stream' };
}
