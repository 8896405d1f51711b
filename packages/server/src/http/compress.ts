import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type BrotliOptions,
} from 'node:zlib';

export type Coding = 'br' | 'gzip';

/** Minimum size for compression: for smaller responses, the extra headers outweigh the savings. */
export const COMPRESS_FROM_BYTES = 1024;

const COMPRESSIBLE = /^(?:application\/(?:x-ndjson|openmetrics-text)|text\/)/;

/** Quality 4 takes slightly more than half the time of gzip for about the same size. */
const BROTLI: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const gzipAsync = promisify(gzip);
const brotliAsync: (bytes: Uint8Array, options: BrotliOptions) => Promise<Buffer> =
  promisify(brotliCompress);

/** Both compress on another thread, so that other requests continue. */
const compressors = {
  br: (bytes) => brotliAsync(bytes, BROTLI),
  gzip: (bytes) => gzipAsync(bytes),
} satisfies Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array>>;

export function isCompressible(mediaType: string): boolean {
  return mediaType === 'application/json' || COMPRESSIBLE.test(mediaType);
}

/** Selects a coding that the client accepts; undefined if there is none. */
export function negotiateCoding(acceptEncoding: string | undefined): Coding | undefined {
  if (acceptEncoding === undefined || acceptEncoding === '') return undefined;
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    weights.set(name, Number(weight) || 0);
  }
  const any = weights.get('*') ?? 0;
  const br = weights.get('br') ?? any;
  const gzipped = weights.get('gzip') ?? weights.get('x-gzip') ?? any;
  if (br > 0 && br >= gzipped) return 'br';
  return gzipped > 0 ? 'gzip' : undefined;
}

export function compress(bytes: Uint8Array, coding: Coding): Promise<Uint8Array> {
  return compressors[coding](bytes);
}

/** Compressed copies of responses. Each is freed with its original. */
const compressed = new WeakMap<Uint8Array, Map<Coding, Promise<Uint8Array>>>();

export function compressOnce(bytes: Uint8Array, coding: Coding): Promise<Uint8Array> {
  let codings = compressed.get(bytes);
  if (codings === undefined) {
    codings = new Map();
    compressed.set(bytes, codings);
  }
  let result = codings.get(coding);
  if (result === undefined) {
    // zlib returns a part of a larger buffer, which would stay in memory.
    result = compress(bytes, coding).then((chunk) => new Uint8Array(chunk));
    codings.set(coding, result);
  }
  return result;
}

export function compressStream(coding: Coding): Transform {
  return coding === 'br' ? createBrotliCompress(BROTLI) : createGzip();
}
