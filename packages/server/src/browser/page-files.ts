import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findInstalled } from '../find-installed.ts';

export interface PageFile {
  bytes: Uint8Array;
  /** Content compressed with Brotli; undefined if compression does not help. */
  brotli: Uint8Array | undefined;
  media_type: string;
  etag: string;
}

/** The built web UI: one document, and files with a content hash in their names. */
export interface PageFiles {
  shell: PageFile;
  assets: ReadonlyMap<string, PageFile>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  woff2: 'font/woff2',
};

export function loadPageFiles(): PageFiles {
  const shell = findShell();
  const assets = join(dirname(shell), 'assets');
  const names = readdirSync(assets).filter((name) => !name.endsWith('.br'));
  return {
    shell: loadFile(shell),
    assets: new Map(names.map((name) => [name, loadFile(join(assets, name))])),
  };
}

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
