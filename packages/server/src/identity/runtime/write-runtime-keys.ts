import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { newId } from '../../adapters/id.ts';
import type { RuntimeKeyEntry } from './runtime-keys.ts';

/** Writes the file of runtime keys atomically; only its owner can read it. */
export function writeRuntimeKeys(path: string, keys: readonly RuntimeKeyEntry[]): void {
  const entries = keys.map(({ issuer, algorithm, public_key_pem, require_act }) => ({
    issuer,
    algorithm,
    public_key_pem,
    ...(require_act === true ? { require_act } : {}),
  }));
  const temporary = `${path}.${newId()}.tmp`;
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(file, `${JSON.stringify(entries, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError(
      'config.runtime_keys_unavailable',
      `${path} cannot be written: ${why}.`,
      {
        details: { key: 'identity_provider.runtime_keys_path' },
        suggested_action: 'Use a file in a directory that you can write.',
        cause,
      },
    );
  }
}
