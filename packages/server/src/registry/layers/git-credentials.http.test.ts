import { listIngests, registerLayer, testSource } from '@catalog/contract/endpoints/layers';
import { asCaller, TRUSTED_HEADERS_MULTI_TENANT } from '@catalog/testkit/callers';
import { startGitServer } from '@catalog/testkit/git-server';
import { startRegistry } from '@catalog/testkit/registry-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, onTestFinished, test, vi } from 'vitest';

const AUTH = { username: 'registry', password: 'hunter2' };
const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: A rule to read.\n---\nBody.\n';

test('an administrator cannot read with the git credential of another tenant', async () => {
  const git = await startGitServer(temporaryFolder(), { auth: AUTH });
  onTestFinished(() => git.close());
  const repository = git.addRepository('acme/private.git');
  repository.commit({ 'a/ARTIFACT.md': RULE });
  const credential = { scheme: 'http' as const, host: git.host, port: git.port, ...AUTH };
  const server = await startRegistry({
    settings: {
      ...TRUSTED_HEADERS_MULTI_TENANT,
      operator_admins: ['op'],
      bootstrap_admins: ['acme=ada', 'beta=bob'],
      'egress.allowed_hosts': [git.host],
      'git.credentials': [{ tenant: 'acme', ...credential }],
    },
  });
  const ada = server.as(asCaller({ subject: 'ada', org: 'acme' }));
  const bob = server.as(asCaller({ subject: 'bob', org: 'beta' }));
  const body = {
    id: 'stolen',
    source_type: 'git',
    repo: repository.url,
    ref: 'main',
    organization: true,
  };
  const tested = await bob.request(testSource, { body });
  expect(tested.body).toMatchObject({ code: 'ingest.source_unreachable' });
  await bob.call(registerLayer, { body });
  await vi.waitFor(async () => {
    const { ingests } = await bob.call(listIngests, { query: { id: 'stolen' } });
    expect(ingests[0]?.state).toBe('failed');
  }, 10_000);
  expect(git.authorizations).toEqual([]);
  expect(await ada.call(testSource, { body })).toMatchObject({ reachable: true });
  expect(git.authorizations.length).toBeGreaterThan(0);
});
