import { startRegistry } from '@catalog/testkit/registry-server';
import { scimClient } from '@catalog/testkit/scim-client';
import { expect, test } from 'vitest';

test('SCIM reads work in read-only mode, and writes return a retryable error (SPEC-35)', async () => {
  const server = await startRegistry({ settings: { 'scim.tokens': ['token'] } });
  const scim = scimClient(server.url, 'token');
  const id = await scim.create('/Users', { userName: 'ann' });
  const group = await scim.create('/Groups', { displayName: 'g' });
  server.registry.store.availability = () => ({ mode: 'read_only', lag_seconds: 1 });
  const change = { op: 'replace', path: 'active', value: false };
  for (const { status, body } of [
    await scim.send('POST', '/Users', { body: { userName: 'bob' } }),
    await scim.send('PUT', `/Users/${id}`, { body: { userName: 'bob' } }),
    await scim.patch(`/Users/${id}`, change),
    await scim.send('DELETE', `/Users/${id}`),
    await scim.send('POST', '/Groups', { body: { displayName: 'h' } }),
    await scim.send('PUT', `/Groups/${group}`, { body: { displayName: 'h' } }),
    await scim.patch(`/Groups/${group}`, { op: 'remove', path: 'members' }),
    await scim.send('DELETE', `/Groups/${group}`),
  ]) {
    expect({ status, says: body['status'] }).toEqual({ status: 503, says: '503' });
    expect(body.detail).toContain('(registry.read_only)');
  }
  expect(await scim.ask('GET', `/Users/${id}`)).toMatchObject({ userName: 'ann', active: true });
  expect(await scim.ask('POST', '/.search', {})).toMatchObject({ totalResults: 2 });
});
