import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { openSigningKey } from './signing-key.ts';

describe('signing key', () => {
  test('is created once, readable only by its owner', () => {
    const path = `${temporaryFolder()}/new/audit-signing.pem`;
    const first = openSigningKey({ path, create: true });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const second = openSigningKey({ path, create: true });
    expect(second.key?.public_bytes).toEqual(first.key?.public_bytes);
    expect(first.key).toBeDefined();
  });

  test('is reported as missing instead of stopping the registry', () => {
    const folder = temporaryFolder();
    expect(openSigningKey({ path: undefined, create: true })).toEqual({
      key: undefined,
      problem: 'audit.signing_key_path is not set',
    });
    const missing = openSigningKey({ path: `${folder}/none.pem`, create: false });
    expect(missing.problem).toMatch(/none\.pem cannot be read: ENOENT/);
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const path = `${folder}/rsa.pem`;
    writeFileSync(path, rsa.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    expect(openSigningKey({ path, create: false }).problem).toMatch(/is not an Ed25519 key/);
    chmodSync(path, 0o640);
    expect(openSigningKey({ path, create: false }).problem).toMatch(/run chmod 600/);
  });
});
