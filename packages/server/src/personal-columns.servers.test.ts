import { DatabaseSync } from 'node:sqlite';
import { grantAdmin } from '@catalog/contract/endpoints/access';
import { updateLayer } from '@catalog/contract/endpoints/layers';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { breakGlass } from '@catalog/contract/endpoints/freeze';
import { purge } from '@catalog/contract/endpoints/purge';
import { createWebhook } from '@catalog/contract/endpoints/webhooks';
import { listPlainTables, PLAIN_TABLES, storedName } from '@catalog/core/ports/plain-tables';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { asCaller, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { startDeliveryReceiver } from '@catalog/testkit/delivery-receiver';
import { seedPersonalLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry } from '@catalog/testkit/registry-server';
import { scimClient } from '@catalog/testkit/scim-client';
import { openSettings } from '@catalog/testkit/varied-registry';
import { expect, test } from 'vitest';

const ADMIN = 'ada@people.example';
const USER = 'bob@people.example';
const TOKEN = 'a-token-of-the-directory';

function findColumns(path: string, identity: RegExp): Map<string, string[]> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return new Map(
      listPlainTables().map((name) => {
        const rows = database.prepare(`SELECT * FROM ${storedName(name, 'sqlite')}`).all();
        const columns = rows.flatMap((row) =>
          Object.keys(row).filter((column) => identity.test(String(row[column]))),
        );
        return [name, [...new Set(columns)].toSorted()];
      }),
    );
  } finally {
    database.close();
  }
}

test('personal data appears only in the declared columns', async () => {
  const receiver = await startDeliveryReceiver();
  const settings = {
    ...(await openSettings('standalone')),
    ...TRUSTED_HEADERS,
    ...receiver.settings,
    bootstrap_admins: [ADMIN],
    'scim.tokens': [TOKEN],
  };
  const server = await startRegistry({ settings, keep: true });
  const directory = scimClient(server.url, TOKEN);
  const schemas = (name: string) => [`urn:ietf:params:scim:schemas:core:2.0:${name}`];
  const user = { schemas: schemas('User'), userName: USER, externalId: USER };
  const deletedUser = await directory.create('/Users', user);
  await directory.send('DELETE', `/Users/${deletedUser}`);
  const id = await directory.create('/Users', user);
  const left = { ...user, userName: 'eve@people.example', externalId: 'eve@people.example' };
  await directory.send('DELETE', `/Users/${await directory.create('/Users', left)}`);
  const members = [{ value: id }];
  await directory.create('/Groups', { schemas: schemas('Group'), displayName: 'Team', members });

  const ada = server.as(asCaller({ subject: ADMIN }));
  await ada.call(grantAdmin, { body: { user_id: USER } });
  await ada.call(createWebhook, { body: { url: receiver.url } });
  const manifest = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet.\n---\nWave.\n';
  await ada.ingest({ 'a/ARTIFACT.md': manifest }, { id: 'base', organization: true });
  await ada.call(updateLayer, { query: { id: 'base' }, body: { users: [USER] } });
  const bob = server.as(asCaller({ subject: USER }));
  await bob.call(loadArtifact, { query: { id: 'a', session_id: 's' } });
  await seedPersonalLayer(server, { id: 'own', owner: USER, users: [USER] });
  const purged = await seedPersonalLayer(server, { id: 'purged', owner: USER, users: [USER] });
  await server.registry.store.transaction(({ layers }) => layers.purge(ONLY_TENANT, purged.number));
  await ada.call(breakGlass, { body: { layer: 'base', reference: '*' } });
  await ada.call(purge, { body: { id: 'a', reason: `${USER} published a secret.` } });
  await receiver.waitFor(1);
  await server.close();

  const found = findColumns(settings['store.sqlite_path'], new RegExp(`@people.example|${id}`));
  const declared = listPlainTables().map((name): [string, string[]] => {
    const declaredColumns: readonly string[] = PLAIN_TABLES[name].person;
    return [name, declaredColumns.toSorted()];
  });
  expect(found).toEqual(new Map(declared));
});
