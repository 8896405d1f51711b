import { getWhoami, grantAdmin } from '@catalog/contract/endpoints/access';
import { asCaller, asAnonymous, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { startRegistry } from '@catalog/testkit/registry-server';
import { expect, test } from 'vitest';

test('whoami returns the subject, address and role of the caller', async () => {
  const settings = { ...TRUSTED_HEADERS, bootstrap_admins: ['root'] };
  const server = await startRegistry({ settings });
  const ada = server.as(asCaller({ subject: 'ada', email: 'ada@example.com' }));
  const known = { subject: 'ada', email: 'ada@example.com' };
  expect(await ada.call(getWhoami)).toEqual({ ...known, admin: false });
  const root = server.as(asCaller({ subject: 'root' }));
  await root.call(grantAdmin, { body: { user_id: 'ada' } });
  expect(await ada.call(getWhoami)).toEqual({ ...known, admin: true });
  expect(await server.as(asAnonymous()).call(getWhoami)).toEqual({ admin: false });
});

test('whoami returns no subject without an identity provider', async () => {
  const server = await startRegistry();
  expect(await server.call(getWhoami)).toEqual({ admin: true });
});
