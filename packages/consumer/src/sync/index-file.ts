import type { FingerprintedEntry } from '@catalog/core/node/read-layer';
import type { LocalState } from '../lock/local-state.ts';
import type { SourceStamp } from '../source/catalog-source.ts';
import type { TargetReport } from './report.ts';

/** State after the last complete run, for a fast check whether anything has changed. It may be deleted at any time. */
export interface SyncIndex {
  /** Hash of all other inputs: program, adapters, configuration. */
  key: string;
  source: SourceStamp;
  outputs: FingerprintedEntry[];
  hashes: Map<string, string>;
  reports: TargetReport[];
}

const MAGIC = 0x32584943; // "CIX2"
const NUMBERS_PER_ENTRY = 5;

interface Header {
  key: string;
  reports: TargetReport[];
  source_revision: string;
  source_count: number;
  paths: string;
  hashes: string;
  /** Hashes of files that changed shortly before the run, by position. */
  racy: [number, string][];
}

const NAME = 'index';

export function writeIndex(state: LocalState, index: SyncIndex): void {
  const entries = [...index.source.seen, ...index.outputs];
  const header: Header = {
    key: index.key,
    reports: index.reports,
    source_revision: index.source.revision,
    source_count: index.source.seen.length,
    paths: entries.map((entry) => entry.path).join('\n'),
    hashes: index.outputs.map((entry) => index.hashes.get(entry.path) ?? '').join('\n'),
    racy: entries.flatMap((entry, position) =>
      entry.hash === undefined ? [] : [[position, entry.hash] as [number, string]],
    ),
  };
  const text = Buffer.from(JSON.stringify(header));
  const numbers = new Float64Array(entries.length * NUMBERS_PER_ENTRY);
  for (const [position, { fingerprint }] of entries.entries()) {
    const at = position * NUMBERS_PER_ENTRY;
    if (fingerprint === undefined) {
      numbers[at] = -1;
      continue;
    }
    numbers[at] = fingerprint.size;
    numbers[at + 1] = fingerprint.mtime;
    numbers[at + 2] = fingerprint.ctime;
    numbers[at + 3] = fingerprint.inode;
    numbers[at + 4] = fingerprint.mode;
  }
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32LE(MAGIC, 0);
  prefix.writeUInt32LE(text.length, 4);
  const bytes = Buffer.concat([prefix, text, Buffer.from(numbers.buffer)]);
  state.write(NAME, bytes);
}

export function getIndex(state: LocalState): SyncIndex | undefined {
  try {
    const bytes = state.read(NAME);
    return bytes === undefined ? undefined : decode(bytes);
  } catch {
    return undefined;
  }
}

export function removeIndex(state: LocalState): void {
  state.remove(NAME);
}

function decode(bytes: Buffer): SyncIndex | undefined {
  if (bytes.readUInt32LE(0) !== MAGIC) return undefined;
  const textEnd = 8 + bytes.readUInt32LE(4);
  const header: Header = JSON.parse(bytes.toString('utf8', 8, textEnd));
  const paths = header.paths === '' ? [] : header.paths.split('\n');
  const numbers = new Float64Array(
    bytes.buffer.slice(bytes.byteOffset + textEnd, bytes.byteOffset + bytes.length),
  );
  if (numbers.length !== paths.length * NUMBERS_PER_ENTRY) return undefined;
  const entries = paths.map((path, position) =>
    entryAt(path, numbers, position * NUMBERS_PER_ENTRY),
  );
  for (const [position, hash] of header.racy) {
    const entry = entries[position];
    if (entry !== undefined) entry.hash = hash;
  }
  const outputs = entries.slice(header.source_count);
  const hashes = header.hashes.split('\n');
  return {
    key: header.key,
    source: {
      seen: entries.slice(0, header.source_count),
      revision: header.source_revision,
    },
    outputs,
    hashes: new Map(outputs.map((entry, position) => [entry.path, hashes[position] ?? ''])),
    reports: header.reports,
  };
}

function entryAt(path: string, numbers: Float64Array, at: number): FingerprintedEntry {
  const [size = -1, mtime = 0, ctime = 0, inode = 0, mode = 0] = numbers.subarray(
    at,
    at + NUMBERS_PER_ENTRY,
  );
  return { path, fingerprint: size === -1 ? undefined : { size, mtime, ctime, inode, mode } };
}
