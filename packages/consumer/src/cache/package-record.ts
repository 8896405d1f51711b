/** File of a cached package. A large file is stored separately, by its hash. */
export type CachedFile = { path: string; executable: boolean } & (
  | { kind: 'inline'; bytes: Uint8Array }
  | { kind: 'large'; content_hash: string }
);

const NEWLINE = 0x0a;

/** Description of a file: `content` is its length, or the hash of a large file. */
type Frame = [path: string, mode: 'x' | '-', content: number | string];

/** Encodes a package: one line of JSON that describes its files, then their content. */
export function encodeRecord(files: readonly CachedFile[]): Uint8Array {
  const frames = files.map((file): Frame => [
    file.path,
    file.executable ? 'x' : '-',
    file.kind === 'inline' ? file.bytes.length : file.content_hash,
  ]);
  const inline = files.flatMap((file) => (file.kind === 'inline' ? [file.bytes] : []));
  return Buffer.concat([Buffer.from(`${JSON.stringify(frames)}\n`), ...inline]);
}

/**
 * Decodes a package; undefined if it is malformed. The caller must verify its content hash. The files share memory with
 * the input.
 */
export function decodeRecord(record: Uint8Array): CachedFile[] | undefined {
  const end = record.indexOf(NEWLINE);
  const frames = end === -1 ? undefined : readFrames(record.subarray(0, end));
  if (frames === undefined) return undefined;
  const files: CachedFile[] = [];
  let at = end + 1;
  for (const [path, mode, content] of frames) {
    const executable = mode === 'x';
    if (typeof content === 'string') {
      files.push({ kind: 'large', path, executable, content_hash: content });
      continue;
    }
    files.push({ kind: 'inline', path, executable, bytes: record.subarray(at, at + content) });
    at += content;
  }
  return at === record.length ? files : undefined;
}

function readFrames(line: Uint8Array): Frame[] | undefined {
  try {
    const frames: unknown = JSON.parse(Buffer.from(line).toString());
    return Array.isArray(frames) && frames.every(isFrame) ? frames : undefined;
  } catch {
    return undefined;
  }
}

const HASH = /^sha256:[0-9a-f]{64}$/;

function isFrame(value: unknown): value is Frame {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false;
  const content: unknown = value[2];
  // The hash becomes a file name, so its format is checked.
  if (typeof content === 'string') return HASH.test(content);
  return Number.isSafeInteger(content) && Number(content) >= 0;
}
