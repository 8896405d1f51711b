import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
  type Stats,
} from 'node:fs';

/** Limit for files people write by hand: configuration, manifests outside a layer. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;
/** Limit for files catalog writes that grow with the number of artifacts: lock, journal, index. */
export const MAX_RECORD_BYTES = 512 * 1024 * 1024;

/** `O_NONBLOCK` keeps a pipe from blocking, `O_NOCTTY` a terminal from becoming that of the process. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Reads a file only if it is a regular one of at most `max_bytes`: reading a pipe or a device may block
 * forever, and a huge file may exhaust memory. Throws `EFTYPE` or `EFBIG` otherwise. Links are followed.
 */
export function readRegularFile(path: string, max_bytes: number): Buffer {
  // First by name, because opening a device can have effects of its own.
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
