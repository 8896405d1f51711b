import { startDex } from '@catalog/testkit/dex-server';
import { startOidcProvider } from '@catalog/testkit/oidc-provider-server';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { PROTOCOL_REVISIONS, openProject } from './mcp-host.ts';
import {
  addressIn,
  hostOf,
  idsOf,
  INNER,
  keptSignIn,
  openOrganization,
  SEARCH,
  untilSignedIn,
} from './mcp-sign-in.ts';

/** Longer than a local registry needs, and much shorter than a user needs. */
const MAX_RESPONSE_MS = 3_000;

describe.each(Object.entries({ 'oidc-provider': startOidcProvider, Dex: startDex }))(
  'a host without URL support, with %s',
  (_name, startProvider) => {
    verifies(
      'ENV-07',
      'returns the sign-in URL in the response, and succeeds after the sign-in',
      async () => {
        const provider = await startProvider();
        const env = await openOrganization(provider);
        const project = openProject();
        const { call, stderr } = await hostOf(env, project);
        const started = Date.now();
        const first = await call(SEARCH);
        expect(Date.now() - started).toBeLessThan(MAX_RESPONSE_MS);
        const address = addressIn(first);
        // Every tool returns the same URL, so the user gets one code.
        expect(addressIn(await call('load_artifact', { id: INNER }))).toBe(address);
        await provider.approveDevice(address, 'bob');
        const found = await untilSignedIn(() => call(SEARCH));
        expect(idsOf(found)).toEqual([INNER]);
        expect(stderr()).toContain('signed in as bob');

        const { access_token, refresh_token } = keptSignIn(project).kept;
        for (const secret of [access_token, refresh_token]) {
          expect(secret).toEqual(expect.any(String));
          expect(stderr()).not.toContain(secret);
          expect(JSON.stringify([first, found])).not.toContain(secret);
        }
        // The next server process of this user needs no sign-in.
        expect(idsOf(await (await hostOf(env, project)).call(SEARCH))).toEqual([INNER]);
      },
    );
  },
);

describe.each(PROTOCOL_REVISIONS)('a host with URL support, version %s', (revision) => {
  test('shows one URL, and the call continues after the sign-in', async () => {
    const provider = await startOidcProvider();
    const env = await openOrganization(provider);
    const prompts: string[] = [];
    const visits = async (url: string, message: string) => {
      prompts.push(message);
      await provider.approveDevice(url, 'bob');
      return 'accept' as const;
    };
    const { call } = await hostOf(env, { revision, visits });
    expect(idsOf(await call(SEARCH))).toEqual([INNER]);
    expect(idsOf(await call(SEARCH))).toEqual([INNER]);
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toMatch(
      /^Sign in to the catalog at http:\S+: confirm the code [A-Z-]+\. Issuer: (\S+); audience: (\S+)\.$/,
    );
    expect(prompts[0]).toContain(`Issuer: ${provider.issuer}; audience: ${provider.audience[0]}.`);
  });

  test('continues without a user if the user declines', async () => {
    const provider = await startOidcProvider();
    const env = await openOrganization(provider);
    let prompts = 0;
    const visits = () => {
      prompts += 1;
      return 'decline' as const;
    };
    const { call } = await hostOf(env, { revision, visits });
    expect(idsOf(await call(SEARCH))).toEqual([]);
    expect(idsOf(await call(SEARCH))).toEqual([]);
    expect(prompts).toBe(1);
  });

  test('requests one code, and returns it in the response if the user ignored the URL', async () => {
    const provider = await startOidcProvider();
    const env = await openOrganization(provider);
    const shown: string[] = [];
    const visits = (url: string) => {
      shown.push(url);
      return 'cancel' as const;
    };
    const { call } = await hostOf(env, { revision, visits });
    expect([addressIn(await call(SEARCH)), addressIn(await call(SEARCH))]).toEqual([
      shown[0],
      shown[0],
    ]);
    expect(shown).toHaveLength(1);
  });
});
