import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Signer } from '@catalog/core/ports/signer';
import { describeKey } from '@catalog/core/signing/ed25519';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

const signInPool = promisify<null, Uint8Array, KeyObject, Buffer>(sign);

/** Opens the private keys of a registry (Ed25519, PEM). The first file signs. */
export function openKeyFiles(paths: readonly string[]): Signer {
  const keys = paths.map(readKeyFile);
  const privateKeys = new Map(keys.map(({ key_id, key }) => [key_id, key]));
  return {
    keys: keys.map(({ key_id, public_key }) => ({ key_id, public_key })),
    async sign(key_id, bytes) {
      const key = privateKeys.get(key_id);
      if (key === undefined) throw new Error(`there is no private key ${key_id}`);
      return (await signInPool(null, bytes, key)).toString('base64');
    },
  };
}

/** Reads one private key with the id of its public key. */
export function readKeyFile(path: string): { key_id: string; public_key: string; key: KeyObject } {
  let pem: Buffer;
  try {
    pem = readFileSync(path);
  } catch (cause) {
    throw unavailable(path, 'cannot be read', cause);
  }
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch (cause) {
    throw unavailable(path, 'is not a private key in PEM format without a passphrase', cause);
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw unavailable(path, `has a key of type ${key.asymmetricKeyType}, not Ed25519`);
  }
  return { ...describeKey(createPublicKey(key)), key };
}

/** Writes a new private key that only the owner can read. Throws if the file exists. */
export function createKeyFile(path: string): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(path, pem, { mode: FILE_MODE, flag: 'wx' });
  chmodSync(path, FILE_MODE);
}

function unavailable(path: string, problem: string, cause?: unknown): CatalogError {
  return new CatalogError(
    'config.signature_provider_unavailable',
    `The signing key ${path} ${problem}.`,
    {
      details: { key: 'sign_key_path', value: path },
      suggested_action:
        'Create a key with `openssl genpkey -algorithm ed25519 -out registry.key`, and set sign_key_path to its file.',
      cause,
    },
  );
}
