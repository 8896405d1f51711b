// At startup, the registry warns about e-mail entries that can never match (SPEC-78).
import { newSigningKey } from '@catalog/testkit/signing-key';
import { oidcSettings } from '@catalog/testkit/provider-in-test';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { startTokenIssuer, TEST_AUDIENCE } from '@catalog/testkit/token-issuer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Settings } from './config/settings.ts';

const WARNING = /"layers":\["team"\].*email_verified.*trust_email/;

async function startWith(
  settings: Partial<Settings>,
  users: string[] = ['ann', 'bob@example.org'],
): Promise<RegistryServer> {
  const path = temporaryFolder();
  writeTree(path, { 'greet/ARTIFACT.md': '---\ntype: rule\nversion: 1.0.0\n---\nWave.\n' });
  const visibility = { public: false, organization: false, groups: null, users };
  const layers = [{ id: 'team', source: { local: { path } }, visibility }];
  return startRegistry({ settings: { ...settings, layers, 'log.level': 'info' } });
}

function warnings({ log }: RegistryServer): string[] {
  return log.filter((line) => line.includes('email_verified'));
}

async function expectWarned(server: RegistryServer): Promise<void> {
  await expect.poll(() => warnings(server).length, { timeout: 10_000 }).toBe(1);
  expect(warnings(server)[0]).toMatch(WARNING);
}

async function expectQuiet(server: RegistryServer): Promise<void> {
  // The warnings above appear within milliseconds.
  await delay(100);
  expect(warnings(server)).toEqual([]);
}

describe('e-mail addresses in the users of a layer', () => {
  test.each([undefined, ['sub', 'email']])(
    'cause a warning if the issuer lists the claims %j',
    async (claims_supported) => {
      const issuer = await startTokenIssuer();
      Object.assign(issuer.discovery, { claims_supported });
      await expectWarned(await startWith(oidcSettings(issuer)));
    },
  );

  test('cause a warning if runtimes sign the tokens', async () => {
    const { algorithm, public_key_pem } = await newSigningKey('ES256');
    const path = join(temporaryFolder(), 'keys.json');
    writeFileSync(
      path,
      JSON.stringify([{ issuer: 'https://runtime.test', algorithm, public_key_pem }]),
    );
    const settings = {
      'identity_provider.type': 'injected-session-token',
      'identity_provider.audience': [TEST_AUDIENCE],
      'identity_provider.runtime_keys_path': path,
    } satisfies Partial<Settings>;
    await expectWarned(await startWith(settings));
  });

  test('cause no warning if they can match or are absent', async () => {
    const issuer = await startTokenIssuer();
    const oidc = oidcSettings(issuer);
    await expectQuiet(await startWith({ ...oidc, 'identity_provider.trust_email': true }));
    await expectQuiet(await startWith(TRUSTED_HEADERS));
    await expectQuiet(await startWith({}));
    const accepted = (server: RegistryServer) =>
      expect
        .poll(() => server.log.join('\n'), { timeout: 10_000 })
        .toContain('accepting tokens of these issuers');
    const bySubject = await startWith(oidc, ['ann']);
    await accepted(bySubject);
    await expectQuiet(bySubject);
    issuer.discovery['claims_supported'] = ['sub', 'email', 'email_verified'];
    const announced = await startWith(oidc);
    await accepted(announced);
    await expectQuiet(announced);
  });
});
