import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { toSigningKey, type SigningKey } from '@catalog/core/audit/signed-note';

/** Key of the audit checkpoints, or the reason why there is none. */
export type OpenedKey =
  | { key: SigningKey; problem: undefined }
  | { key: undefined; problem: string };

export interface SigningKeyOptions {
  path: string | undefined;
  /** Creates a missing file. */
  create: boolean;
}

const OTHERS = 0o077;

/** Reads an Ed25519 key in PEM. Never throws, because a registry also runs without a key. */
export function openSigningKey({ path, create }: SigningKeyOptions): OpenedKey {
  if (path === undefined) return { key: undefined, problem: 'audit.signing_key_path is not set' };
  try {
    if (create && !existsSync(path)) createKey(path);
    if (process.platform !== 'win32' && (statSync(path).mode & OTHERS) !== 0) {
      return { key: undefined, problem: `${path} can be read by other users; run chmod 600` };
    }
    const key = createPrivateKey(readFileSync(path));
    if (key.asymmetricKeyType !== 'ed25519') {
      return { key: undefined, problem: `${path} is not an Ed25519 key` };
    }
    return { key: toSigningKey(key), problem: undefined };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { key: undefined, problem: `${path} cannot be read: ${why}` };
  }
}

function createKey(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
    flag: 'wx',
  });
  chmodSync(path, 0o600);
}
