import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findInstalled } from '../find-installed.ts';

/** A file of the web UI, ready to be sent. */
export interface PageFile {
  bytes: Uint8Array;
  /** The same bytes, compressed by the build; undefined if compression does not help. */
  brotli: Uint8Array | undefined;
  media_type: string;
  etag: string;
}

/** The web UI as it was built: one document, and files whose names contain a hash of their content. */
export interface PageFiles {
  shell: PageFile;
  /** By name. */
  assets: ReadonlyMap<string, PageFile>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  woff2: 'font/woff2',
};

/** Reads the web UI once: it is small, and the same for every caller. */
export function loadPageFiles(): PageFiles {
  const shell = findShell();
  const assets = join(dirname(shell), 'assets');
  const names = readdirSync(assets).filter((name) => !name.endsWith('.br'));
  return {
    shell: loadFile(shell),
    assets: new Map(names.map((name) => [name, loadFile(join(assets, name))])),
  };
}

/** In the source tree, the output of the web package; in a built program, next to its chunks. */
function findShell(): string {
  return findInstalled(
    import.meta.dirname,
    ['../../../web/dist/index.html', '../web/index.html'],
    'The web UI is not built. Run `./dev build` first.',
  );
}

function loadFile(path: string): PageFile {
  const bytes = readFileSync(path);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return {
    bytes,
    brotli: existsSync(`${path}.br`) ? readFileSync(`${path}.br`) : undefined,
    etag,
    media_type: MEDIA_TYPES[ending] ?? 'application/octet-stream',
  };
}
