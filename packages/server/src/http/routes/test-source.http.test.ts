import { setTimeout as delay } from 'node:timers/promises';
import { listLayers, testSource } from '@catalog/contract/endpoints/layers';
import { asCaller, asAnonymous, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { startGitServer } from '@catalog/testkit/git-server';
import { startRegistry, type RegistryClientView } from '@catalog/testkit/registry-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, onTestFinished, test, vi } from 'vitest';

const ALLOWED = { 'egress.allowed_hosts': ['127.0.0.1'] };

async function send(face: RegistryClientView, body: object) {
  return vi.waitFor(
    async () => {
      const answer = await face.request(testSource, {
        body: { id: 'skills', source_type: 'git', ...body },
      });
      expect(answer.status).not.toBe(429);
      return answer;
    },
    { timeout: 10_000, interval: 300 },
  );
}

test('test_source returns the commit of a ref and registers nothing', async () => {
  const host = await startGitServer(temporaryFolder());
  onTestFinished(() => host.close());
  const repository = host.addRepository('skills.git');
  const commit = repository.commit({ 'a/ARTIFACT.md': 'text' });
  const next = repository.commit({ 'b/x': '' }, { branch: 'next', parents: [commit] });
  const server = await startRegistry({ settings: ALLOWED });
  const repo = repository.url;
  expect(await send(server, { repo, ref: 'main' })).toMatchObject({
    status: 200,
    body: { reachable: true, commit },
  });
  const moved = await send(server, { repo, ref: 'next' });
  expect(moved.body).toEqual({ reachable: true, commit: next });
  expect(await send(server, { repo, ref: 'none' })).toMatchObject({
    status: 502,
    body: { code: 'ingest.source_unreachable', message: 'The repository has no ref `none`.' },
  });
  expect((await server.call(listLayers)).layers).toEqual([]);
});

const IDENTIFIED = { ...ALLOWED, ...TRUSTED_HEADERS, bootstrap_admins: ['root'] };

test('test_source returns the same error for every unreachable host to callers who are not administrators', async () => {
  const host = await startGitServer(temporaryFolder());
  const closed = host.addRepository('skills.git').url;
  await host.close();
  const server = await startRegistry({ settings: IDENTIFIED });
  const repos = [closed, 'https://10.0.0.1/skills.git', 'https://nothing.invalid/skills.git'];
  const [zoe, root] = ['zoe', 'root'].map((subject) => server.as(asCaller({ subject })));
  const bodies: unknown[] = [];
  for (const repo of repos) {
    const { status, raw } = await send(zoe ?? server, { repo });
    expect(status).toBe(502);
    bodies.push(JSON.parse(raw.toString()));
  }
  expect(await send(root ?? server, { repo: closed, organization: true })).toMatchObject({
    status: 502,
    body: { message: 'Layer skills: its git host did not respond.' },
  });
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  expect(bodies[0]).toMatchObject({ message: 'The registry cannot read this source.' });
});

test("test_source returns the repository's error to every caller who may register", async () => {
  const host = await startGitServer(temporaryFolder());
  onTestFinished(() => host.close());
  const existing = host.addRepository('skills.git').url;
  const server = await startRegistry({ settings: IDENTIFIED });
  const zoe = server.as(asCaller({ subject: 'zoe' }));
  expect(await send(zoe, { repo: existing.replace('skills', 'nothing') })).toMatchObject({
    status: 502,
    body: {
      message:
        'Layer skills: no repository exists at its URL, or the registry has no access to it.',
      details: { layer: 'skills', reason: 'not_found' },
    },
  });
});

test('test_source reads folders only for administrators', async () => {
  const server = await startRegistry({
    settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['root'] },
  });
  const folder = { source_type: 'local', local_path: temporaryFolder() };
  const root = server.as(asCaller({ subject: 'root' }));
  expect((await send(root, { ...folder, organization: true })).body).toEqual({ reachable: true });
  const zoe = server.as(asCaller({ subject: 'zoe' }));
  expect(await send(zoe, folder)).toMatchObject({
    status: 403,
    body: { code: 'auth.forbidden', details: { constraint: 'local_source' } },
  });
  const repo = 'https://10.0.0.1/skills.git';
  expect(await send(zoe, { repo, public: true })).toMatchObject({ status: 403 });
  expect(await send(server.as(asAnonymous()), { repo })).toMatchObject({ status: 403 });
});

test('test_source is limited per user', async () => {
  const server = await startRegistry({ settings: TRUSTED_HEADERS });
  const body = { id: 'skills', source_type: 'git', repo: 'https://10.0.0.1/skills.git' };
  const statuses = (subject: string): Promise<number[]> =>
    Promise.all(
      Array.from({ length: 5 }, async () => {
        const face = server.as(asCaller({ subject }));
        return (await face.request(testSource, { body })).status;
      }),
    );
  const first = await statuses('zoe');
  expect(first.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3);
  // The limit of a tenant is ten tests per second.
  await delay(300);
  expect((await statuses('yan')).some((status) => status !== 429)).toBe(true);
});

test('test_source is limited to about one request per second', async () => {
  const server = await startRegistry();
  const body = { id: 'skills', source_type: 'git', repo: 'https://10.0.0.1/skills.git' };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => server.request(testSource, { body })),
  );
  const limited = answers.filter(({ status }) => status === 429);
  expect(limited.length).toBeGreaterThanOrEqual(3);
  expect(limited[0]).toMatchObject({ body: { code: 'quota.source_test_rate_exceeded' } });
});
