import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
  type Stats,
} from 'node:fs';

/** Maximum size of handwritten files, such as configuration. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;
/** Maximum size of files that grow with the number of artifacts: lock, journal, index. */
export const MAX_RECORD_BYTES = 512 * 1024 * 1024;

/** `O_NONBLOCK` prevents waiting for a pipe; `O_NOCTTY` prevents a terminal from controlling the process. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Reads a regular file of at most `max_bytes`, following links. Throws `EFTYPE` or `EFBIG` for anything else: reading a
 * pipe or device could block forever.
 */
export function readRegularFile(path: string, max_bytes: number): Buffer {
  // Checked by name first, because opening a device can have side effects.
  checkFile(statSync(path), path, max_bytes);
  const descriptor = openSync(path, OPEN_FLAGS);
  try {
    checkFile(fstatSync(descriptor), path, max_bytes);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function checkFile(stats: Stats, path: string, max_bytes: number): void {
  if (stats.isDirectory()) throw withCode('EISDIR', `${path} is a folder`);
  if (!stats.isFile()) throw withCode('EFTYPE', `${path} is a pipe, socket, or device, not a file`);
  if (stats.size > max_bytes) {
    throw withCode('EFBIG', `${path} is larger than ${Math.floor(max_bytes / 1024 / 1024)} MiB`);
  }
}

function withCode(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
