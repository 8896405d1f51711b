import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { z } from 'zod';
import { ALGORITHMS, fitsAlgorithm } from '../algorithms.ts';

export interface RuntimeKeyEntry {
  issuer: string;
  algorithm: string;
  public_key_pem: string;
  /** True if tokens must contain `act`. Applies to all keys of the issuer. */
  require_act?: boolean | undefined;
}

export interface RuntimeKey extends RuntimeKeyEntry {
  key: KeyObject;
}

const MAX_FILE_BYTES = 1_048_576;

const entries = z.array(
  z.strictObject({
    issuer: z.string().min(1),
    algorithm: z.enum(ALGORITHMS),
    public_key_pem: z.string().min(1),
    require_act: z.boolean().optional(),
  }),
);

/**
 * Loads the file of runtime keys. Rejects the whole file if an entry is invalid, so that no key is silently missing.
 */
export function loadRuntimeKeys(path: string, absence?: 'may_be_absent'): RuntimeKey[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (code === 'ENOENT' && absence === 'may_be_absent') return [];
    throw unavailable(`The runtime key file ${path} cannot be read (${code}).`, cause);
  }
  return parseRuntimeKeys(text, path);
}

export function parseRuntimeKeys(text: string, path: string): RuntimeKey[] {
  if (text.length > MAX_FILE_BYTES) {
    throw unavailable(`The runtime key file ${path} is longer than ${MAX_FILE_BYTES} bytes.`);
  }
  const read = entries.safeParse(parseJson(text));
  if (!read.success) {
    throw unavailable(
      `The runtime key file ${path} is not a JSON list of {issuer, algorithm, public_key_pem, require_act?}: ${describeProblem(read.error)}.`,
    );
  }
  return read.data.map((entry) => toRuntimeKey(entry, path));
}

/** Parses an entry; `place` is its location in error messages. */
export function toRuntimeKey(entry: RuntimeKeyEntry, place: string): RuntimeKey {
  const key = importPublicKey(entry.public_key_pem);
  if (key === undefined) {
    throw unavailable(`${place}: the key of ${entry.issuer} is not a public key in PEM format.`);
  }
  if (!fitsAlgorithm(key, entry.algorithm)) {
    throw unavailable(`${place}: the key of ${entry.issuer} does not support ${entry.algorithm}.`);
  }
  return { ...entry, key };
}

/** Parses a public key. Rejects a private key, which must not be in this file. */
function importPublicKey(pem: string): KeyObject | undefined {
  if (/PRIVATE KEY/.test(pem)) return undefined;
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeProblem({ issues }: z.ZodError): string {
  const [first] = issues;
  return first === undefined ? '' : `${first.path.join('.') || 'the file'}: ${first.message}`;
}

function unavailable(message: string, cause?: unknown): CatalogError {
  return new CatalogError('config.runtime_keys_unavailable', message, {
    details: { key: 'identity_provider.runtime_keys_path' },
    ...(cause === undefined ? {} : { cause }),
  });
}
