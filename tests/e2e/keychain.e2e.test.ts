import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startKeychain, type KeychainSession } from '@catalog/testkit/keychain-session';
import { startOidcProvider, type OidcProviderServer } from '@catalog/testkit/oidc-provider-server';
import { TEST_AUDIENCE } from '@catalog/testkit/token-issuer';
import { verifies } from '@catalog/testkit/verifies';
import { openPlace, signIn, type Environment } from './sign-in.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** A provider accepts a poll only every five seconds. */
const SEVERAL_SIGN_INS_MS = 180_000;

interface KeychainSetup {
  workspace: Workspace;
  keychain: KeychainSession;
  provider: OidcProviderServer;
  env: Environment;
  /** Origin of the registry: the label of its entries without a suffix. */
  label: string;
  /** Additional claims of every token; changing them changes the length of the next token. */
  claims: Record<string, unknown>;
}

async function openKeychainSetup(): Promise<KeychainSetup> {
  const claims: Record<string, unknown> = {};
  const provider = await startOidcProvider({ claims });
  const keychain = await startKeychain();
  const { server, env } = await openPlace(provider);
  return {
    workspace: openWorkspace(),
    keychain,
    provider,
    env: { ...env, ...keychain.env },
    label: server.url,
    claims,
  };
}

function chunksOf(entries: { label: string; value: string }[], label: string) {
  return entries.filter((entry) => /^#[ab]\d+$/.test(entry.label.slice(label.length)));
}

describe('the keychain', () => {
  verifies(
    ['KEY-02', 'KEY-05', 'CLI-20', 'CLI-21'],
    'stores the complete token under the origin of the registry until logout',
    async () => {
      const { workspace, keychain, provider, env, label } = await openKeychainSetup();
      const signedIn = await signIn(workspace, provider, env, 'alice', '');
      expect(signedIn).toMatchObject({ signed_in: true, store: 'keychain', subject: 'alice' });

      const entries = await keychain.list('catalog');
      expect(entries.map((entry) => entry.label)).toEqual([label, `${label}#session`]);
      const [token = { value: '' }] = entries;
      expect(Buffer.byteLength(token.value)).toBeLessThanOrEqual(2500);
      expect(token.value.split('.')).toHaveLength(3);

      const flows = devicesOf(provider);
      const { document } = await workspace.json('whoami', env);
      expect(document).toMatchObject({ subject: 'alice', source: 'keychain', admin: true });
      expect(devicesOf(provider)).toBe(flows);
      expect(textsBelow(workspace.home).filter((text) => text.includes(token.value))).toEqual([]);

      const { stdout } = await workspace.ok('logout', env);
      expect(stdout).toContain('and revoked the token');
      expect(await keychain.list('catalog')).toEqual([]);
      expect((await workspace.run('whoami', env)).code).toBe(4);
    },
    { timeout: SEVERAL_SIGN_INS_MS },
  );

  verifies(
    ['KEY-04', 'KEY-06', 'KEY-07', 'KEY-08'],
    'stores a long token in numbered entries, and removes all of them at logout',
    async () => {
      const { workspace, keychain, provider, env, label, claims } = await openKeychainSetup();
      claims['padding'] = 'x'.repeat(6000);
      await signIn(workspace, provider, env, 'alice', '');
      const long = await keychain.list('catalog');
      const chunks = chunksOf(long, label);
      const marker = long.find((entry) => entry.label === label)?.value ?? '';
      expect(chunks.length).toBeGreaterThan(3);
      expect(marker).toMatch(new RegExp(`^#chunks [ab] ${chunks.length} sha256:`));
      for (const { value } of chunks) expect(Buffer.byteLength(value)).toBeLessThanOrEqual(2500);
      // The registry checks the signature, so it rejects any token that is not byte-identical.
      const { document } = await workspace.json('whoami', env);
      expect(document).toMatchObject({ subject: 'alice', source: 'keychain' });

      claims['padding'] = 'x'.repeat(2000);
      await signIn(workspace, provider, env, 'alice', '');
      const shorter = chunksOf(await keychain.list('catalog'), label);
      expect(shorter.length).toBeLessThan(chunks.length);
      expect(new Set(shorter.map((entry) => entry.label.at(label.length + 1))).size).toBe(1);
      expect((await workspace.json('whoami', env)).code).toBe(0);

      delete claims['padding'];
      await signIn(workspace, provider, env, 'alice', '');
      const whole = await keychain.list('catalog');
      expect(whole.map((entry) => entry.label)).toEqual([label, `${label}#session`]);

      claims['padding'] = 'x'.repeat(6000);
      await signIn(workspace, provider, env, 'alice', '');
      await workspace.ok('logout', env);
      expect(await keychain.list('catalog')).toEqual([]);
    },
    { timeout: SEVERAL_SIGN_INS_MS },
  );

  verifies('KEY-02', 'uses the configured name', async () => {
    const { workspace, keychain, provider, env } = await openKeychainSetup();
    const named = { ...env, CATALOG_TOKEN_KEYCHAIN_NAME: 'elsewhere' };
    await signIn(workspace, provider, named, 'bob', '');
    expect(await keychain.list('catalog')).toEqual([]);
    expect(await keychain.list('elsewhere')).toHaveLength(2);
    // The name is remembered, and a sign-in under another name removes the entries of the first
    // one.
    expect((await workspace.json('whoami', env)).document).toMatchObject({ subject: 'bob' });
    await signIn(workspace, provider, env, 'bob', '');
    expect(await keychain.list('elsewhere')).toEqual([]);
    expect(await keychain.list('catalog')).toHaveLength(2);
  });
});

test('the keychain matches its documentation page', async () => {
  const { workspace, provider, env, label } = await openKeychainSetup();
  const running = workspace.start('login', env);
  const [, address = '', code = ''] = await running.waitFor(
    'stderr',
    /(https:\S+user_code=(\S+))\nand confirm/,
  );
  await provider.approveDevice(address, 'alice');
  const { stdout, stderr } = await running.ended;
  const shown = (text: string): string =>
    text
      .replaceAll(label, 'https://catalog.example.com')
      .replaceAll(TEST_AUDIENCE, 'https://catalog.example.com')
      .replaceAll(provider.issuer, 'https://idp.example.com')
      .replaceAll(code, 'WFGH-KBVG');
  const page = readFileSync(join(import.meta.dirname, '../../docs/guide/sign-in.md'), 'utf8');
  expect(page).toContain(`$ catalog login\n${shown(stderr + stdout)}`);
  const who = await workspace.ok('whoami', env);
  const out = await workspace.ok('logout', env);
  expect(page).toContain(
    `$ catalog whoami\n${shown(who.stdout)}$ catalog logout\n${shown(out.stdout)}`,
  );
});

function devicesOf({ requests }: OidcProviderServer): number {
  return requests.filter((request) => request.startsWith('POST /device/auth')).length;
}

function textsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
}
