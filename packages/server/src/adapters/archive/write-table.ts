import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ArchiveRows, ArchiveTable } from '@catalog/core/ports/archive';
import type { ArchivedFile } from './manifest.ts';
import { encodeRow } from './row-text.ts';

/** A low compression level uses little CPU and still reduces the size to a third. */
const COMPRESSION = { level: 3 };

export interface TableWriter {
  write(rows: readonly ArchiveRows[ArchiveTable][]): Promise<void>;
  end(): Promise<ArchivedFile>;
  abort(): void;
}

export function openTableWriter(path: string, table: ArchiveTable): TableWriter {
  const hash = createHash('sha256');
  let rows = 0;
  let bytes = 0;
  const giveUp = new AbortController();
  const text = new TransformStream<string, string>(undefined, { highWaterMark: 1 });
  const lines = text.writable.getWriter();
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk);
      bytes += chunk.length;
      next(null, chunk);
    },
  });
  const written = pipeline(
    Readable.fromWeb(text.readable),
    createGzip(COMPRESSION),
    measure,
    createWriteStream(path, { mode: 0o600, flush: true }),
    { signal: giveUp.signal },
  );
  // The next write reports this error.
  written.catch((error: unknown) => lines.abort(error).catch(() => undefined));

  return {
    async write(page) {
      rows += page.length;
      await lines.ready;
      await lines.write(page.map((row) => `${encodeRow(row)}\n`).join(''));
    },
    async end() {
      await lines.close();
      await written;
      return { table, rows, bytes, sha256: hash.digest('hex') };
    },
    abort: () => giveUp.abort(),
  };
}
