import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listTenants, updateTenant } from '@catalog/contract/endpoints/access';
import { syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import { registerLayer } from '@catalog/contract/endpoints/layers';
import { asCaller, TRUSTED_HEADERS_MULTI_TENANT } from '@catalog/testkit/callers';
import { startGitServer } from '@catalog/testkit/git-server';
import {
  startRegistry,
  type RegistryClientView,
  type RegistryServer,
} from '@catalog/testkit/registry-server';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { openSettings } from '@catalog/testkit/varied-registry';
import { expect, onTestFinished, test } from 'vitest';
import type { Settings } from '../config/settings.ts';
import { verifies } from '@catalog/testkit/verifies';

const SETTINGS = {
  ...TRUSTED_HEADERS_MULTI_TENANT,
  operator_admins: ['op'],
  bootstrap_admins: ['acme=ada', 'beta=bo'],
} satisfies Partial<Settings>;

const ADA = asCaller({ subject: 'ada', org: 'acme' });
const BO = asCaller({ subject: 'bo', org: 'beta' });

function rule(version: string): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: How to greet a visitor.\n---\nWave.\n`;
}

function openLayer(id: string): { root: string; edit: (version: string) => void } {
  const root = temporaryFolder();
  writeTree(root, { [`${id}/ARTIFACT.md`]: rule('1.0.0') });
  return {
    root,
    edit: (version) => writeFileSync(join(root, id, 'ARTIFACT.md'), rule(version)),
  };
}

/** Returns a layer of the configuration: only these may use host paths with several tenants (SPEC-77). */
function declared(tenant: string, path: string): Settings['layers'][number] {
  return { id: 'base', tenant, source: { local: { path } } };
}

async function startTwo() {
  const [acme, beta] = [openLayer('a'), openLayer('b')];
  const layers = [declared('acme', acme.root), declared('beta', beta.root)];
  const server = await startRegistry({ settings: { ...SETTINGS, layers } });
  return { server, acme, beta, ada: server.as(ADA), bo: server.as(BO) };
}

async function served(face: RegistryClientView): Promise<string[]> {
  const { artifacts } = await face.call(syncManifestEndpoint);
  return artifacts.map(({ id, version }) => `${id}@${version}`);
}

function servedSoon(face: RegistryClientView, wanted: readonly string[]): Promise<void> {
  return expect.poll(() => served(face), { timeout: 10_000 }).toEqual(wanted);
}

async function listRun({ registry }: RegistryServer, tenant: number): Promise<string[]> {
  const jobs = await registry.store.jobs.list(tenant, '', 100);
  return jobs.filter(({ state }) => state !== 'queued').map(({ job }) => job);
}

async function findAcme(operator: RegistryClientView): Promise<string> {
  const { tenants } = await operator.call(listTenants);
  return tenants.find(({ name }) => name === 'acme')?.id ?? '';
}

verifies(
  ['MODE-03', 'LAYER-01'],
  'folders of every tenant are watched and ingested into their own tenant',
  async () => {
    const { acme, beta, ada, bo } = await startTwo();
    await servedSoon(ada, ['a@1.0.0']);
    await servedSoon(bo, ['b@1.0.0']);
    acme.edit('1.1.0');
    beta.edit('1.2.0');
    await servedSoon(ada, ['a@1.1.0']);
    await servedSoon(bo, ['b@1.2.0']);
  },
);

verifies(
  ['TENANT-04', 'TENANT-05'],
  'an inactive tenant has no background work until it is active again',
  async () => {
    const { server, acme, beta, ada, bo } = await startTwo();
    const operator = server.as(asCaller({ subject: 'op' }));
    await servedSoon(ada, ['a@1.0.0']);
    await servedSoon(bo, ['b@1.0.0']);
    const params = { id: await findAcme(operator) };
    const { tenant = 0 } = (await server.registry.store.tenants.find('acme')) ?? {};
    await operator.call(updateTenant, { params, body: { active: false } });
    const before = await listRun(server, tenant);
    acme.edit('1.1.0');
    beta.edit('1.1.0');
    // If both tenants were watched, both edits would be ingested by now.
    await servedSoon(bo, ['b@1.1.0']);
    expect(await listRun(server, tenant)).toEqual(before);
    await operator.call(updateTenant, { params, body: { active: true } });
    await servedSoon(ada, ['a@1.1.0']);
  },
);

test('edits made while no registry ran are ingested for every tenant at startup', async () => {
  const [acme, beta] = [openLayer('a'), openLayer('b')];
  const settings = {
    ...(await openSettings('standalone')),
    ...SETTINGS,
    layers: [declared('acme', acme.root), declared('beta', beta.root)],
  };
  async function start(): Promise<RegistryServer> {
    const server = await startRegistry({ settings, keep: true });
    onTestFinished(() => server.close());
    return server;
  }
  const first = await start();
  await servedSoon(first.as(ADA), ['a@1.0.0']);
  await servedSoon(first.as(BO), ['b@1.0.0']);
  await first.close();
  acme.edit('1.1.0');
  beta.edit('1.1.0');
  const second = await start();
  await servedSoon(second.as(ADA), ['a@1.1.0']);
  await servedSoon(second.as(BO), ['b@1.1.0']);
});

test('a tenant with slow git hosts leaves a lane to the others', async () => {
  const host = await startGitServer(temporaryFolder(), { intercept: () => true });
  onTestFinished(() => host.close());
  const beta = openLayer('b');
  const server = await startRegistry({
    settings: {
      ...SETTINGS,
      layers: [declared('beta', beta.root)],
      'egress.allowed_hosts': [host.host],
    },
  });
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    const repo = `http://${host.host}:${host.port}/${id}.git`;
    const body = { id, source_type: 'git' as const, repo, organization: true };
    await server.as(ADA).call(registerLayer, { body });
  }
  await expect.poll(() => host.requests.length, { timeout: 10_000 }).toBe(3);
  beta.edit('1.1.0');
  await servedSoon(server.as(BO), ['b@1.1.0']);
  expect(host.requests).toHaveLength(3);
});
