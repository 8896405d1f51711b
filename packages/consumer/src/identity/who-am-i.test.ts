import { oidcSettings } from '@catalog/testkit/provider-in-test';
import { startRegistry } from '@catalog/testkit/registry-server';
import { startTokenIssuer } from '@catalog/testkit/token-issuer';
import { expect, test } from 'vitest';
import { openNodeTransport } from '../source/node-transport.ts';
import { fetchIdentity } from './who-am-i.ts';

test('fetchIdentity returns the subject that the registry uses, not the `sub` claim of the token', async () => {
  const issuer = await startTokenIssuer();
  const settings = { ...oidcSettings(issuer), 'identity_provider.subject_claim': 'upn' };
  const { url } = await startRegistry({ settings });
  const token = issuer.mint({ sub: '00u1', upn: 'ada' });
  const who = await fetchIdentity(url, token, openNodeTransport({}));
  expect(who).toMatchObject({ subject: 'ada', admin: false, operator: false });
  const refused = issuer.mint({ upn: 'ada', exp: 1 });
  await expect(fetchIdentity(url, refused, openNodeTransport({}))).rejects.toMatchObject({
    code: 'auth.token_expired',
  });
});
