import { syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import { listIngests, registerLayer } from '@catalog/contract/endpoints/layers';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { startGitServer } from '@catalog/testkit/git-server';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, onTestFinished, test, vi } from 'vitest';
import { requestRetries } from '../registry/ingest/request-retries.ts';

const MINUTE_MS = 60_000;
const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';

const FAILURES: readonly [status: number, isRetried: boolean][] = [
  [429, true],
  [500, true],
  [503, true],
  [401, false],
  [403, false],
  [404, false],
];

async function ingestsOf(server: RegistryServer, id: string): Promise<string[]> {
  const { ingests } = await server.call(listIngests, { query: { id } });
  return ingests.map(({ trigger, state }) => `${trigger} ${state}`);
}

async function served(server: RegistryServer): Promise<string[]> {
  const { artifacts } = await server.call(syncManifestEndpoint);
  return artifacts.map(({ id }) => id);
}

test('ingests with temporary failures are retried without a push, and others are not', async () => {
  let hasRecovered = false;
  const host = await startGitServer(temporaryFolder(), {
    intercept: (request, response) => {
      const status = /\/s(\d+)\.git\//.exec(request.url ?? '')?.[1];
      if (hasRecovered || status === undefined) return false;
      response.writeHead(Number(status)).end();
      return true;
    },
  });
  onTestFinished(() => host.close());
  const server = await startRegistry({ settings: { 'egress.allowed_hosts': ['127.0.0.1'] } });
  const put = vi.spyOn(server.registry.objects, 'put').mockImplementation(() => {
    throw new CatalogError('registry.unavailable', 'The object store does not respond.');
  });
  const register = async (name: string): Promise<void> => {
    const repository = host.addRepository(`${name}.git`);
    repository.commit({
      [`${name}/ARTIFACT.md`]: RULE,
      [`${name}/data.txt`]: name.repeat(200_000),
    });
    const body = { id: name, source_type: 'git', repo: repository.url };
    await server.call(registerLayer, { body });
  };
  const names = [...FAILURES.map(([status]) => `s${status}`), 'objects'];
  for (const name of names) await register(name);
  for (const name of names) {
    await expect
      .poll(() => ingestsOf(server, name), { timeout: 20_000 })
      .toEqual(['register failed']);
  }
  hasRecovered = true;
  put.mockRestore();
  const real = server.registry.now.bind(server.registry);
  vi.spyOn(server.registry, 'now').mockImplementation(
    () => new Date(real().getTime() + 2 * MINUTE_MS),
  );
  const retried = ['objects', ...FAILURES.filter(([, isRetried]) => isRetried).map(nameOf)].sort();
  await expect.poll(() => served(server), { timeout: 30_000 }).toEqual(retried);
  for (const name of names) {
    const expected = retried.includes(name)
      ? ['retry done', 'register failed']
      : ['register failed'];
    await expect.poll(() => ingestsOf(server, name)).toEqual(expected);
  }
});

function nameOf([status]: (typeof FAILURES)[number]): string {
  return `s${status}`;
}

test('ingests are not retried before the pause has ended', async () => {
  const host = await startGitServer(temporaryFolder(), {
    intercept: (_, response) => {
      response.writeHead(503).end();
      return true;
    },
  });
  onTestFinished(() => host.close());
  const server = await startRegistry({ settings: { 'egress.allowed_hosts': ['127.0.0.1'] } });
  const repo = host.addRepository('team.git').url;
  await server.call(registerLayer, { body: { id: 'team', source_type: 'git', repo } });
  await expect
    .poll(() => ingestsOf(server, 'team'), { timeout: 10_000 })
    .toEqual(['register failed']);
  const limit_ms = 24 * 60 * MINUTE_MS;
  await requestRetries(server.registry, ONLY_TENANT, limit_ms);
  expect(await ingestsOf(server, 'team')).toEqual(['register failed']);
});
