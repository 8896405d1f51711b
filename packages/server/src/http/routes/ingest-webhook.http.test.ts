import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import {
  getIngest,
  ingestWebhook,
  listIngests,
  listLayers,
  registerLayer,
  reingestLayer,
  updateLayer,
} from '@catalog/contract/endpoints/layers';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import type { IngestJob } from '@catalog/contract/records/ingest';
import { followEvents } from '@catalog/testkit/follow-events';
import { seedLayer } from '@catalog/testkit/layer-fixture';
import { startGitServer, type GitServer } from '@catalog/testkit/git-server';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import type { CheckedResponse } from '@catalog/testkit/checked-response';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

const BODY = '{"ref":"refs/heads/main"}';

function rule(version: string, body = 'Wave.'): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: How to greet a visitor.\n---\n${body}\n`;
}

async function openLayer(more: object = {}): Promise<{
  host: GitServer;
  repository: ReturnType<GitServer['addRepository']>;
  server: RegistryServer;
  deliver: (headers?: Record<string, string>, body?: string) => Promise<CheckedResponse>;
  secret: string;
}> {
  const host = await startGitServer(temporaryFolder());
  onTestFinished(() => host.close());
  const repository = host.addRepository('skills.git');
  repository.commit({ 'ops/greet/ARTIFACT.md': rule('1.0.0') });
  const server = await startRegistry({ settings: { 'egress.allowed_hosts': ['127.0.0.1'] } });
  const { webhook_url = '', webhook_secret: secret = '' } = await server.call(registerLayer, {
    body: { id: 'skills', source_type: 'git', repo: repository.url, ...more },
  });
  await idle(server);
  const { pathname, search } = new URL(webhook_url);
  return {
    host,
    repository,
    server,
    secret,
    deliver: (headers, body = BODY) =>
      server.request(`${pathname}${search}`, {
        method: 'POST',
        body,
        headers: headers ?? { 'x-hub-signature-256': `sha256=${sign(secret, body)}` },
      }),
  };
}

function sign(secret: string, body = BODY): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

async function jobsOf(server: RegistryServer): Promise<IngestJob[]> {
  return (await server.call(listIngests, { query: { id: 'skills' } })).ingests;
}

async function idle(server: RegistryServer): Promise<IngestJob | undefined> {
  for (;;) {
    const jobs = await jobsOf(server);
    if (jobs.every(({ state }) => state === 'done' || state === 'failed')) return jobs[0];
    await delay(10);
  }
}

async function served(server: RegistryServer): Promise<string[]> {
  const { artifacts } = await server.call(syncManifestEndpoint);
  return artifacts.map(({ id, version }) => `${id}@${version}`);
}

function jobOf({ body }: CheckedResponse): string {
  return typeof body === 'object' && body !== null && 'job' in body ? String(body.job) : '';
}

describe('webhook delivery', () => {
  verifies(
    ['INGEST-02', 'INGEST-05', 'LAYER-28', 'LAYER-17'],
    'with a valid signature gets an immediate response, and the push is ingested',
    async () => {
      const { repository, server, deliver } = await openLayer();
      expect(await served(server)).toEqual(['ops/greet@1.0.0']);
      const commit = repository.commit({
        'ops/greet/ARTIFACT.md': rule('1.1.0'),
        'ops/part/ARTIFACT.md': rule('1.0.0'),
      });
      const started = performance.now();
      const answer = await deliver();
      expect(answer).toMatchObject({ status: 202, body: { layer: 'skills' } });
      // The specification requires one second; the test allows for a busy machine.
      expect(performance.now() - started).toBeLessThan(5000);
      await idle(server);
      const job = await server.call(getIngest, { params: { job: jobOf(answer) } });
      expect(job).toMatchObject({
        state: 'done',
        trigger: 'webhook',
        report: { reference: commit, accepted: 2, idempotent: 0, removed: 0 },
      });
      expect(await served(server)).toEqual(['ops/greet@1.1.0', 'ops/part@1.0.0']);
      const { layers } = await server.call(listLayers);
      expect(layers[0]?.last_ingested_ref).toBe(commit);
    },
  );

  verifies(
    'INGEST-02',
    'for a layer without a secret is rejected with every signature',
    async () => {
      const server = await startRegistry();
      const proofs: Record<string, Record<string, string>> = {
        'git-host-a': { 'x-hub-signature-256': `sha256=${sign('')}` },
        'git-host-b': { 'x-gitlab-token': '' },
        'git-host-c': { 'x-hub-signature': sign('') },
      };
      for (const [id, headers] of Object.entries(proofs)) {
        await seedLayer(server, { id, git_provider: id, webhook_secret: '' });
        const answer = await server.request(ingestWebhook, {
          params: { layer: id },
          body: BODY,
          headers,
        });
        expect(answer).toMatchObject({ status: 401, body: { code: 'ingest.webhook_invalid' } });
      }
      expect((await server.call(listIngests)).ingests).toEqual([]);
    },
  );

  verifies('INGEST-05', 'is retried once under the same id if its ingest failed', async () => {
    const { host, repository, server, deliver, secret } = await openLayer();
    repository.commit({ 'ops/greet/ARTIFACT.md': rule('1.1.0') });
    const headers = {
      'x-hub-signature-256': `sha256=${sign(secret)}`,
      'x-github-delivery': 'delivery-1',
    };
    await host.close();
    const first = jobOf(await deliver(headers));
    expect(await idle(server)).toMatchObject({ job: first, state: 'failed' });
    const again = jobOf(await deliver(headers));
    expect(again).not.toBe('');
    expect(again).not.toBe(first);
    await idle(server);
  });

  verifies(
    ['INGEST-03', 'ERR-41'],
    'with an invalid signature is rejected and logged, and nothing is ingested',
    async () => {
      const { host, repository, server, deliver, secret } = await openLayer();
      repository.commit({ 'ops/greet/ARTIFACT.md': rule('2.0.0') });
      const before = await jobsOf(server);
      host.requests.length = 0;
      const forged: Record<string, string>[] = [
        {},
        { 'x-hub-signature-256': `sha256=${sign('another')}` },
        { 'x-hub-signature-256': sign(secret) },
        { 'x-hub-signature-256': `sha256=${sign(secret).slice(0, 62)}` },
        { 'x-hub-signature-256': `sha256=${sign(secret)}00` },
        { 'x-hub-signature': `sha256=${sign(secret)}` },
        { 'x-hub-signature-256': `sha1=${sign(secret)}` },
        { 'x-gitlab-token': secret },
      ];
      for (const headers of forged) {
        expect(await deliver(headers)).toMatchObject({
          status: 401,
          body: { code: 'ingest.webhook_invalid', details: { layer: 'skills' } },
        });
      }
      const signed = { 'x-hub-signature-256': `sha256=${sign(secret)}` };
      expect((await deliver(signed, `${BODY} `)).status).toBe(401);
      expect(await jobsOf(server)).toEqual(before);
      expect(host.requests).toEqual([]);
      expect(await served(server)).toEqual(['ops/greet@1.0.0']);
      const refusals = server.log.filter((line) => line.includes('ingest.webhook_invalid'));
      expect(refusals).toHaveLength(forged.length + 1);
      expect(server.log.join('\n')).not.toContain(secret);
    },
  );

  verifies(['INGEST-04'], 'for a local layer is rejected', async () => {
    const server = await startRegistry({ layers: { base: { 'a/ARTIFACT.md': rule('1.0.0') } } });
    const answer = await server.request('/v1/ingest/webhook/base', { method: 'POST', body: BODY });
    expect(answer).toMatchObject({ status: 400, body: { code: 'registry.invalid_argument' } });
  });

  test('requires both the id and the key of the layer', async () => {
    const { server, deliver, secret } = await openLayer();
    const headers = { 'x-hub-signature-256': `sha256=${sign(secret)}` };
    expect((await deliver()).status).toBe(202);
    for (const address of ['none', 'skills?key=guessed', 'skills%2F..', 'none?key=guessed']) {
      const path = `/v1/ingest/webhook/${address}`;
      const answer = await server.request(path, { method: 'POST', body: BODY, headers });
      expect(answer).toMatchObject({ status: 404, body: { code: 'registry.not_found' } });
    }
    const plain = { method: 'POST', body: BODY, headers };
    expect((await server.request('/v1/ingest/webhook/skills', plain)).status).toBe(202);
    await server.request('/v1/layers?id=skills', { method: 'DELETE' });
    expect((await deliver()).status).toBe(404);
  });

  test.each([
    [
      'git-host-a',
      'x-github-delivery',
      (secret: string) => ({ 'x-hub-signature-256': `sha256=${sign(secret)}` }),
    ],
    ['git-host-b', 'x-gitlab-event-uuid', (secret: string) => ({ 'x-gitlab-token': secret })],
    ['git-host-b', 'webhook-id', (secret: string) => ({ 'x-gitlab-token': secret })],
    [
      'git-host-c',
      'x-request-uuid',
      (secret: string) => ({ 'x-hub-signature': `sha256=${sign(secret)}` }),
    ],
    ['git-host-c', 'x-request-uuid', (secret: string) => ({ 'x-hub-signature': sign(secret) })],
  ])(
    'of %s starts one ingest if it is repeated with the same %s',
    async (git_provider, name, proofOf) => {
      const { server, deliver, secret } = await openLayer({ git_provider });
      const proof = proofOf(secret);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => deliver({ ...proof, [name]: 'delivery-1' })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
      expect(new Set(answers.map(jobOf)).size).toBe(1);
      await idle(server);
      expect(jobOf(await deliver({ ...proof, [name]: 'delivery-1' }))).toBe(
        jobOf(answers[0] ?? fail()),
      );
      expect((await jobsOf(server)).filter(({ trigger }) => trigger === 'webhook')).toHaveLength(1);
      expect(jobOf(await deliver({ ...proof, [name]: 'delivery-2' }))).not.toBe(
        jobOf(answers[0] ?? fail()),
      );
    },
  );

  test('replayed under another delivery id starts no second ingest of its reference', async () => {
    const { repository, server, deliver, secret } = await openLayer();
    const first = repository.git('rev-parse', 'main');
    const push = (before: string, after: string): string =>
      JSON.stringify({ ref: 'refs/heads/main', before, after });
    let sent = 0;
    const send = (body: string): Promise<CheckedResponse> =>
      deliver(
        {
          'x-hub-signature-256': `sha256=${sign(secret, body)}`,
          'x-github-delivery': `id-${(sent += 1)}`,
        },
        body,
      );
    const second = repository.commit({ 'ops/greet/ARTIFACT.md': rule('1.1.0') });
    const forth = push(first, second);
    const delivered = jobOf(await send(forth));
    await idle(server);
    const before = await jobsOf(server);
    // The delivery id is not signed, so a replayed delivery can have any id.
    const replays = await Promise.all(Array.from({ length: 10 }, () => send(forth)));
    expect(replays.map(({ status }) => status)).toEqual(replays.map(() => 202));
    expect(new Set(replays.map(jobOf))).toEqual(new Set([delivered]));
    expect(await jobsOf(server)).toEqual(before);

    // Pushing back and forth sends the same body again, although each push changes the content.
    repository.git('update-ref', 'refs/heads/main', first);
    const back = push(second, first);
    await send(back);
    await idle(server);
    repository.git('update-ref', 'refs/heads/main', second);
    const again = jobOf(await send(forth));
    expect(again).not.toBe(delivered);
    await idle(server);
    const { layers } = await server.call(listLayers);
    expect(layers[0]?.last_ingested_ref).toBe(second);
    const queuedJob = jobOf(await send(back));
    await idle(server);
    expect([jobOf(await send(back)), jobOf(await send(forth))]).toEqual([queuedJob, again]);
  });

  test('with a failed ingest is retried on every redelivery until it succeeds', async () => {
    const { repository, server, deliver, secret } = await openLayer({
      force_push_policy: 'strict',
    });
    const first = repository.git('rev-parse', 'main');
    const prior = repository.commit({ 'ops/greet/ARTIFACT.md': rule('1.1.0') });
    await deliver();
    await idle(server);
    const parents = [first];
    const after = repository.commit({ 'ops/greet/ARTIFACT.md': rule('2.0.0') }, { parents });
    const body = JSON.stringify({ ref: 'refs/heads/main', before: prior, after });
    const send = async (id: string): Promise<string> => {
      const signature = { 'x-hub-signature-256': `sha256=${sign(secret, body)}` };
      const job = jobOf(await deliver({ ...signature, 'x-github-delivery': id }, body));
      await idle(server);
      return job;
    };
    const failed = [await send('one'), await send('one'), await send('two')];
    expect(new Set(failed).size).toBe(3);
    const patch = { query: { id: 'skills' }, body: { force_push_policy: 'tolerant' } };
    await server.call(updateLayer, patch);
    const taken = await send('one');
    expect(failed).not.toContain(taken);
    expect(await served(server)).toEqual(['ops/greet@2.0.0']);
    expect([await send('one'), await send('two'), await send('three')]).toEqual([
      taken,
      taken,
      taken,
    ]);
  });

  test('above the maximum size is rejected before its signature is checked', async () => {
    const { deliver, secret } = await openLayer();
    const maxBody = 'x'.repeat(1024 * 1024);
    const signed = (body: string) => ({ 'x-hub-signature-256': `sha256=${sign(secret, body)}` });
    expect((await deliver(signed(maxBody), maxBody)).status).toBe(202);
    expect(await deliver(signed(`${maxBody}x`), `${maxBody}x`)).toMatchObject({
      status: 400,
      body: { code: 'registry.invalid_argument', details: { constraint: 'body_too_large' } },
    });
  });
});

function fail(): never {
  throw new Error('no answer');
}

describe('layer source', () => {
  verifies(
    ['ERR-45'],
    'that is unreachable returns an error with a next step, and served content stays',
    async () => {
      const { host, server, deliver } = await openLayer();
      await host.close();
      expect(await server.request(reingestLayer, { query: { id: 'skills' } })).toMatchObject({
        status: 502,
        body: { code: 'ingest.source_unreachable', details: { layer: 'skills' } },
      });
      const job = jobOf(await deliver());
      await idle(server);
      const ended = await server.call(getIngest, { params: { job } });
      expect(ended).toMatchObject({
        state: 'failed',
        error: { code: 'ingest.source_unreachable' },
      });
      expect(JSON.stringify(ended)).not.toContain('127.0.0.1');
      expect(await served(server)).toEqual(['ops/greet@1.0.0']);
      expect((await server.call(loadArtifact, { query: { id: 'ops/greet' } })).version).toBe(
        '1.0.0',
      );
    },
  );

  verifies(
    ['ERR-46'],
    'with a link out of the layer rejects only the artifact that contains it',
    async () => {
      const { repository, server } = await openLayer();
      repository.commit({
        'ops/greet/ARTIFACT.md': rule('1.1.0'),
        'ops/greet/secret.txt': { link: '../../../../etc/passwd' },
        'ops/part/ARTIFACT.md': rule('1.0.0'),
      });
      const report = await server.call(reingestLayer, { query: { id: 'skills' } });
      expect(report).toMatchObject({
        accepted: 1,
        rejected: [{ artifact_id: 'ops/greet', code: 'ingest.source_unreachable' }],
      });
      expect(await served(server)).toEqual(['ops/greet@1.0.0', 'ops/part@1.0.0']);
    },
  );

  verifies(
    ['ERR-40', 'EVENT-09'],
    'with a rewritten history is rejected by a strict layer and accepted by a tolerant one, with one event each',
    async () => {
      const { repository, server, deliver } = await openLayer({ force_push_policy: 'strict' });
      const first = repository.git('rev-parse', 'main');
      const prior = repository.commit({ 'ops/greet/ARTIFACT.md': rule('1.1.0') });
      await deliver();
      await idle(server);
      const rewritten = repository.commit(
        { 'ops/greet/ARTIFACT.md': rule('2.0.0') },
        { parents: [first] },
      );
      const follower = await followEvents(
        server,
        '?type=layer.history_rewritten&type=artifact.published',
      );
      expect(await server.request(reingestLayer, { query: { id: 'skills' } })).toMatchObject({
        status: 409,
        body: { code: 'ingest.history_rewritten' },
      });
      const refs = { layer: 'skills', prior_ref: prior, new_ref: rewritten };
      expect(await follower.next()).toMatchObject({
        event: 'layer.history_rewritten',
        data: refs,
      });
      await deliver();
      expect(await idle(server)).toMatchObject({
        state: 'failed',
        error: { code: 'ingest.history_rewritten' },
      });
      expect(await served(server)).toEqual(['ops/greet@1.1.0']);

      await server.call(updateLayer, {
        query: { id: 'skills' },
        body: { force_push_policy: 'tolerant' },
      });
      await deliver();
      // The second rejection of the same push emits no event, so an event of the ingest comes next.
      expect(await follower.next()).toMatchObject({ event: 'artifact.published' });
      expect(await follower.next()).toMatchObject({
        event: 'layer.history_rewritten',
        data: refs,
      });
      await idle(server);
      expect(await served(server)).toEqual(['ops/greet@2.0.0']);
    },
  );
});

test('two concurrent pushes are both served, in order', async () => {
  const { repository, server, deliver } = await openLayer();
  const versions: string[] = [];
  const follower = await followEvents(server, '?type=artifact.published');
  for (let round = 1; round <= 4; round += 1) {
    repository.commit({ 'ops/greet/ARTIFACT.md': rule(`1.${round}.0`) });
    const one = deliver();
    repository.commit({ [`ops/new-${round}/ARTIFACT.md`]: rule('1.0.0') });
    const two = deliver();
    expect((await Promise.all([one, two])).map(({ status }) => status)).toEqual([202, 202]);
  }
  await idle(server);
  const all = await served(server);
  expect(all).toEqual([
    'ops/greet@1.4.0',
    'ops/new-1@1.0.0',
    'ops/new-2@1.0.0',
    'ops/new-3@1.0.0',
    'ops/new-4@1.0.0',
  ]);
  while (versions.at(-1) !== '1.4.0') {
    const { data } = await follower.next();
    if (data['id'] === 'ops/greet') versions.push(String(data['version']));
  }
  expect(versions).toEqual(versions.toSorted());
  const { layers } = await server.call(listLayers);
  expect(layers[0]?.last_ingested_ref).toBe(repository.git('rev-parse', 'main'));
});
