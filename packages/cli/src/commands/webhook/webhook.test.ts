import { createHmac } from 'node:crypto';
import {
  NEVER,
  type WebhookDelivery,
  type WebhookReceiver,
} from '@catalog/contract/records/webhook';
import { sendJson, startFakeServer, type FakeServer } from '@catalog/testkit/fake-server';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { runProgram, type ProcessEnvironment } from '../../program.ts';

const RECEIVER: WebhookReceiver = {
  id: 'wh_1',
  url: 'https://ci.example.com/catalog',
  secret: '***',
  event_filter: null,
  disabled: false,
  failure_count: 0,
  last_delivery: NEVER,
  last_failure: NEVER,
  created_at: '2026-11-01T09:30:00Z',
};

const DELIVERY: WebhookDelivery = {
  id: 'msg_1',
  event: 'layer.ingested',
  cursor: '7',
  state: 'pending',
  attempts: 0,
  created_at: '2026-11-01T09:31:00Z',
};

const ENDED = { last_attempt: '2026-11-01T09:31:05Z', attempts: 1, duration_ms: 12 };

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

interface Place {
  folder: string;
  registry: FakeServer;
  run: (line: string, world?: Partial<ProcessEnvironment>) => Promise<Run>;
}

async function openPlace(responses: Record<string, unknown[]>): Promise<Place> {
  const folder = temporaryFolder('catalog-webhook-');
  const registry = await startFakeServer(({ method, path }, response) => {
    const queue = responses[`${method} ${path}`];
    const value = queue !== undefined && queue.length > 1 ? queue.shift() : queue?.[0];
    if (value === undefined) {
      const message = `No response for ${method} ${path}.`;
      const envelope = { code: 'registry.not_found', message, details: {}, retryable: false };
      sendJson(response, { ...envelope, suggested_action: 'Fix the test.' }, { status: 404 });
      return;
    }
    const accepted = /\/(?:test|redeliver|recover)$/.test(path);
    const status = method === 'DELETE' ? 204 : accepted ? 202 : method === 'POST' ? 201 : 200;
    if (status === 204) response.writeHead(204).end();
    else sendJson(response, value, { status });
  });
  return {
    folder,
    registry,
    run: (line, world) => runLine(`${line} --registry ${registry.url}`, folder, world),
  };
}

async function runLine(
  line: string,
  folder: string,
  world: Partial<ProcessEnvironment> = {},
): Promise<Run> {
  const output = { stdout: '', stderr: '' };
  const code = await runProgram({
    argv: line.split(' '),
    cwd: () => folder,
    home: folder,
    env: {},
    stdin: {},
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    signal: new AbortController().signal,
    now: () => 0,
    ...world,
  });
  return { code, ...output };
}

function sentBody(registry: FakeServer): unknown {
  return JSON.parse(registry.requests.at(-1)?.body ?? '');
}

describe('webhook create', () => {
  const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

  test('shows the generated secret with a note that it is not shown again', async () => {
    const { run, registry } = await openPlace({
      'POST /v1/webhooks': [{ ...RECEIVER, secret: SECRET, debounce: '5m0s' }],
    });
    const { code, stdout } = await run(
      'webhook create https://ci.example.com/catalog --event layer.ingested --event artifact.removed --debounce 5m',
    );
    expect(code).toBe(0);
    expect(sentBody(registry)).toEqual({
      url: 'https://ci.example.com/catalog',
      event_filter: ['layer.ingested', 'artifact.removed'],
      debounce: '5m',
    });
    expect(stdout).toContain('wh_1 https://ci.example.com/catalog\n');
    expect(stdout).toContain(`Secret: ${SECRET}\nStore it now. It is not shown again.\n`);
    expect(stdout).toContain('`catalog webhook test wh_1`');
  });

  test.each([
    ['--secret-file secret.txt', {}],
    ['--secret-file windows.txt', {}],
    ['--secret-file -', { stdin: { read: () => 'my secret\n' } }],
  ])('%s sends the secret and does not print it', async (flags, world) => {
    const { run, registry, folder } = await openPlace({
      'POST /v1/webhooks': [{ ...RECEIVER, secret: 'my secret', disabled: true }],
    });
    writeTree(folder, { 'secret.txt': 'my secret\n', 'windows.txt': 'my secret\r\n' });
    const line = `webhook create https://ci.example.com/catalog --disabled ${flags}`;
    const { stdout } = await run(line, world);
    expect(sentBody(registry)).toMatchObject({ secret: 'my secret', disabled: true });
    expect(stdout).not.toContain('my secret');
    expect(stdout).toContain('`catalog webhook update wh_1 --enable`');
  });

  test.each([
    ['--secret-file nothing.txt', 'nothing.txt does not exist.', 2],
    ['--secret-file empty.txt', 'empty.txt contains no secret.', 2],
    ['--secret-file two.txt', 'two.txt has more than one line', 2],
    ['--secret-file -', 'standard input is a terminal', 2],
    ['--event layer.ingest', 'Invalid value layer.ingest for --event.', 2],
  ])('rejects %s without sending a request', async (flags, message, exit) => {
    const { run, registry, folder } = await openPlace({});
    writeTree(folder, { 'empty.txt': '\n', 'two.txt': 'a\nb\n' });
    const { code, stderr } = await run(`webhook create https://x.example ${flags}`, {
      stdin: { isTTY: true, read: () => expect.fail('read a terminal') },
    });
    expect(stderr).toContain(message);
    expect(code).toBe(exit);
    expect(registry.requests).toEqual([]);
  });
});

describe('webhook list and show', () => {
  test('suggests `catalog webhook create` if the list is empty', async () => {
    const { run } = await openPlace({ 'GET /v1/webhooks': [{ receivers: [] }] });
    expect((await run('webhook list')).stdout).toContain('`catalog webhook create');
  });

  test('list shows filters, states and times', async () => {
    const receivers = [
      { ...RECEIVER, last_delivery: '2026-11-02T10:00:00Z' },
      { ...RECEIVER, id: 'wh_2', event_filter: ['layer.ingested'], failure_count: 3 },
      { ...RECEIVER, id: 'wh_3', disabled: true, disabled_by: 'gone' },
    ];
    const { run } = await openPlace({ 'GET /v1/webhooks': [{ receivers }] });
    const { stdout } = await run('webhook list');
    expect(stdout).toMatch(/^id +url +events +state +last delivery$/m);
    expect(stdout).toMatch(/^wh_1 .* all +active +2026-11-02 10:00 UTC$/m);
    expect(stdout).toMatch(/^wh_2 .* layer\.ingested +failing \(3 attempts in a row\) +-$/m);
    expect(stdout).toMatch(/^wh_3 .* disabled after a 410 response +-$/m);
    const { stdout: document } = await run('webhook list --json');
    expect(JSON.parse(document)).toEqual({ receivers });
  });

  test.each([
    [{}, undefined],
    [{ failure_count: 1 }, '`catalog webhook deliveries wh_1`'],
    [{ disabled: true, disabled_by: 'failures' }, '`catalog webhook update wh_1 --enable`'],
  ])('shows a receiver with %j and the next step %s', async (state, next) => {
    const { run } = await openPlace({ 'GET /v1/webhooks/wh_1': [{ ...RECEIVER, ...state }] });
    const { stdout } = await run('webhook show wh_1');
    expect(stdout).toMatch(/^ {2}last delivery +-$/m);
    if (next === undefined) expect(stdout).not.toContain('Next');
    else expect(stdout).toContain(next);
  });

  test('reports registry.not_found for an unknown receiver', async () => {
    const { run } = await openPlace({});
    const { code, stderr } = await run('webhook show wh_9');
    expect(code).toBe(1);
    expect(stderr).toContain('registry.not_found');
  });
});

describe('webhook update', () => {
  test.each([
    ['--url https://new.example.com/', { url: 'https://new.example.com/' }],
    ['--event layer.ingested', { event_filter: ['layer.ingested'] }],
    ['--all-events', { event_filter: null }],
    ['--debounce 30s', { debounce: '30s' }],
    ['--no-debounce', { debounce: '' }],
    ['--ordered', { ordered: true }],
    ['--no-ordered', { ordered: false }],
    ['--enable', { disabled: false }],
    ['--disable', { disabled: true }],
  ])('%s sends only the named change', async (flags, body) => {
    const { run, registry } = await openPlace({ 'PUT /v1/webhooks/wh_1': [RECEIVER] });
    expect((await run(`webhook update wh_1 ${flags}`)).code).toBe(0);
    expect(sentBody(registry)).toEqual(body);
  });

  test('--rotate-secret sends a new secret and shows it once', async () => {
    const { run, registry } = await openPlace({ 'PUT /v1/webhooks/wh_1': [RECEIVER] });
    const { stdout } = await run('webhook update wh_1 --rotate-secret');
    const body = sentBody(registry);
    expect(body).toEqual({ secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
    const [, shown] = /Secret: (\S+)\nStore it now\. It is not shown again\./.exec(stdout) ?? [];
    expect(body).toEqual({ secret: shown });
    expect(stdout).toContain('For 24 hours, deliveries are signed with both secrets.');
    const { stdout: document } = await run('webhook update wh_1 --rotate-secret --json');
    expect(JSON.parse(document)).toMatchObject(JSON.parse(registry.requests[1]?.body ?? ''));
  });

  test('rejects missing and contradictory changes as usage errors', async () => {
    const { run, registry } = await openPlace({});
    for (const flags of [
      '',
      ' --event layer.ingested --all-events',
      ' --debounce 1m --no-debounce',
      ' --ordered --no-ordered',
      ' --enable --disable',
      ' --rotate-secret --secret-file s',
    ]) {
      expect((await run(`webhook update wh_1${flags}`)).code, flags).toBe(2);
    }
    expect(registry.requests).toEqual([]);
  });
});

describe('webhook delete', () => {
  test('requires --yes without a terminal', async () => {
    const { run, registry } = await openPlace({ 'DELETE /v1/webhooks/wh_1': [null] });
    const { code, stderr } = await run('webhook delete wh_1');
    expect(code).toBe(2);
    expect(stderr).toContain('`catalog webhook delete wh_1 --yes`');
    expect(registry.requests).toEqual([]);
  });

  test('deletes with --yes', async () => {
    const { run } = await openPlace({ 'DELETE /v1/webhooks/wh_1': [{}] });
    const { code, stdout } = await run('webhook delete wh_1 --yes');
    expect(stdout).toBe('Deleted wh_1 and its deliveries\n');
    expect(code).toBe(0);
  });
});

describe('webhook test', () => {
  const QUEUED = { ...DELIVERY, event: 'webhook.test' };

  function afterAttempt(delivery: Partial<WebhookDelivery>): Promise<Place> {
    return openPlace({
      'POST /v1/webhooks/wh_1/test': [QUEUED],
      'GET /v1/webhooks/wh_1/deliveries/msg_1': [
        { ...QUEUED, body: '{}' },
        { ...QUEUED, ...ENDED, body: '{}', ...delivery },
      ],
    });
  }

  test('waits for the attempt and shows the response', async () => {
    const { run, registry } = await afterAttempt({
      state: 'delivered',
      status: 200,
      response: 'thanks\n',
    });
    const { code, stdout } = await run('webhook test wh_1');
    expect(stdout).toBe('delivered: 200 in 12 ms\nresponse\n  thanks\n');
    expect(code).toBe(0);
    expect(registry.requests).toHaveLength(3);
  });

  test.each([
    [{ status: 302 }, '302 in 12 ms', 'does not follow redirects'],
    [{ status: 401 }, '401 in 12 ms', 'current secret'],
    [{ status: 404 }, '404 in 12 ms', 'accepts POST'],
    [{ status: 410 }, '410 in 12 ms', 'enable it again'],
    [{ status: 500 }, '500 in 12 ms', 'log of the receiver'],
    [{ error: 'connection refused' }, 'connection refused after 12 ms', 'can reach the URL'],
    [{ error: 'self-signed certificate' }, 'after 12 ms', 'certificate that the registry trusts'],
  ])('does not wait for the retries of %j', async (attempt, outcome, next) => {
    const { run } = await afterAttempt({ ...attempt, next_attempt: '2026-11-01T09:31:10Z' });
    const { code, stdout } = await run('webhook test wh_1');
    expect(stdout).toContain(`failed: `);
    expect(stdout).toContain(outcome);
    expect(stdout).toContain(next);
    expect(code).toBe(1);
  });
});

describe('webhook deliveries', () => {
  const PATH = 'GET /v1/webhooks/wh_1/deliveries';

  test('lists the newest with the result of the last attempt', async () => {
    const deliveries = [
      DELIVERY,
      { ...DELIVERY, ...ENDED, id: 'msg_2', state: 'delivered', status: 204 },
      { ...DELIVERY, ...ENDED, id: 'msg_3', state: 'failed', error: 'it timed out' },
    ];
    const { run } = await openPlace({
      [`${PATH}?limit=3`]: [{ deliveries, next_cursor: 'c' }],
    });
    const { stdout } = await run('webhook deliveries wh_1 --limit 3');
    expect(stdout).toMatch(/msg_1 +layer\.ingested +pending +0 +-$/m);
    expect(stdout).toMatch(/msg_2 +layer\.ingested +delivered +1 +204 in 12 ms$/m);
    expect(stdout).toMatch(/msg_3 +layer\.ingested +failed +1 +it timed out after 12 ms$/m);
    expect(stdout).toContain('add --limit 15');
  });

  test('reads further pages up to the limit', async () => {
    const page = Array.from({ length: 200 }, () => DELIVERY);
    const { run } = await openPlace({
      [`${PATH}?state=failed&limit=200`]: [{ deliveries: page, next_cursor: 'c' }],
      [`${PATH}?state=failed&cursor=c&limit=50`]: [{ deliveries: page.slice(0, 50) }],
    });
    const { stdout } = await run('webhook deliveries wh_1 --state failed --limit 250 --json');
    const document: { deliveries: unknown[]; has_more: boolean } = JSON.parse(stdout);
    expect(document.deliveries).toHaveLength(250);
    expect(document.has_more).toBe(false);
  });

  test('suggests `catalog webhook test` if the list is empty', async () => {
    const { run } = await openPlace({ [`${PATH}?state=failed&limit=20`]: [{ deliveries: [] }] });
    const { stdout } = await run('webhook deliveries wh_1 --state failed');
    expect(stdout).toContain('No failed deliveries.');
    expect(stdout).toContain('`catalog webhook test wh_1`');
  });

  test('--delivery shows the body, the response and the redeliver command', async () => {
    const body = '{"event":"layer.ingested","data":{"layer":"base"}}';
    const failed = { ...DELIVERY, ...ENDED, state: 'failed', status: 500, response: 'oops', body };
    const { run } = await openPlace({ [`${PATH}/msg_1`]: [failed] });
    const { stdout } = await run('webhook deliveries wh_1 --delivery msg_1');
    expect(stdout).toContain('response\n  oops\n');
    expect(stdout).toContain('      "layer": "base"\n');
    expect(stdout).toContain('`catalog webhook redeliver wh_1 msg_1`');
    const { stdout: document } = await run('webhook deliveries wh_1 --delivery msg_1 --json');
    expect(JSON.parse(document)).toEqual(failed);
  });
});

describe('webhook redeliver and recover', () => {
  test('redeliver queues one delivery', async () => {
    const { run } = await openPlace({
      'POST /v1/webhooks/wh_1/deliveries/msg_1/redeliver': [DELIVERY],
    });
    const { stdout } = await run('webhook redeliver wh_1 msg_1');
    expect(stdout).toContain('Queued msg_1 (layer.ingested)');
    expect(stdout).toContain('`catalog webhook deliveries wh_1 --delivery msg_1`');
  });

  test.each([
    ['2h', () => Date.now() - 7_200_000],
    ['2026-11-01T09:30:00Z', () => Date.parse('2026-11-01T09:30:00Z')],
    ['2026-11-01', () => Date.parse('2026-11-01T00:00:00Z')],
  ])('recover --since %s sends that time', async (since, expected) => {
    const { run, registry } = await openPlace({
      'POST /v1/webhooks/wh_1/recover': [{ recovered: 2 }],
    });
    const before = expected();
    const { stdout } = await run(`webhook recover wh_1 --since ${since}`);
    const { since: sent }: { since: string } = JSON.parse(registry.requests[0]?.body ?? '');
    expect(Date.parse(sent)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(sent)).toBeLessThanOrEqual(expected());
    expect(stdout).toContain(`Queued 2 failed deliveries since ${sent}`);
  });

  test.each(['', ' --since soon', ' --since 2026-11-01T09:30:00'])(
    'rejects recover%s as a usage error',
    async (flags) => {
      const { run, registry } = await openPlace({});
      const { code, stderr } = await run(`webhook recover wh_1${flags}`);
      expect(code).toBe(2);
      expect(stderr).toContain('`--since 2h`');
      expect(registry.requests).toEqual([]);
    },
  );
});

test.each(['list', 'listen --forward http://localhost:1/'])(
  'webhook %s requires a registry server',
  async (command) => {
    const folder = temporaryFolder('catalog-webhook-');
    const { code, stderr } = await runLine(`webhook ${command} --registry ${folder}`, folder);
    expect(stderr).toContain('This command needs a registry server, but the registry is a folder');
    expect(code).toBe(2);
  },
);

describe('webhook listen', () => {
  test.each(['', ' --forward localhost:3000', ' --forward ftp://localhost/'])(
    'rejects as a usage error: webhook listen%s',
    async (flags) => {
      const { run, registry } = await openPlace({});
      const { code, stderr } = await run(`webhook listen${flags}`);
      expect(code).toBe(2);
      expect(stderr).toContain('--forward');
      expect(registry.requests).toEqual([]);
    },
  );

  test('fails at the start if the registry rejects the event stream', async () => {
    const { run } = await openPlace({});
    const { code, stderr } = await run('webhook listen --forward http://127.0.0.1:1/');
    expect(stderr).toContain('No response for GET /v1/events');
    expect(code).toBe(1);
  });

  async function listen(flags: string, world: Partial<ProcessEnvironment> = {}) {
    const streams: { write(text: string): unknown; end(): unknown }[] = [];
    const registry = await startFakeServer((_, response) => {
      response.writeHead(200, {
        'content-type': 'application/x-ndjson',
        'x-catalog-cursor': '6',
      });
      response.flushHeaders();
      streams.push(response);
    });
    const receiver = await startFakeServer((_, response) => {
      response.writeHead(receiver.requests.length % 2 === 1 ? 204 : 500).end('x');
    });
    const output = { stdout: '', stderr: '' };
    const stop = new AbortController();
    const folder = temporaryFolder('catalog-webhook-');
    writeTree(folder, { 'secret.txt': 'my secret' });
    const ended = runLine(
      `webhook listen --forward ${receiver.url}/hook --registry ${registry.url}${flags}`,
      folder,
      {
        stdout: { write: (text) => (output.stdout += text) },
        stderr: { write: (text) => (output.stderr += text) },
        signal: stop.signal,
        ...world,
      },
    );
    await expect.poll(() => streams.length).toBe(1);
    return { registry, receiver, streams, output, stop, ended };
  }

  const EVENT = '{"event":"layer.ingested","data":{"layer":"base"},"cursor":"7"}';

  test('signs events as the registry does, forwards them, and resumes after a lost connection', async () => {
    const run = await listen(' --event layer.ingested --secret-file secret.txt');
    const { streams, receiver, output } = run;
    expect(run.registry.requests[0]?.path).toBe('/v1/events?type=layer.ingested');
    streams[0]?.write(`{"event":"_heartbeat","cursor":"6"}\n${EVENT}\n`);
    await expect.poll(() => output.stdout).toContain('layer.ingested base -> 204 in ');
    const [request] = receiver.requests;
    const { path, headers, body } = request ?? expect.fail('nothing was forwarded');
    expect(path).toBe('/hook');
    expect(body).toBe(EVENT);
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${EVENT}`;
    const sign = (text: string) => createHmac('sha256', 'my secret').update(text);
    expect(headers['webhook-signature']).toBe(`v1,${sign(signed).digest('base64')}`);
    expect(headers['x-catalog-signature']).toBe(`sha256=${sign(EVENT).digest('hex')}`);
    expect(headers['content-type']).toBe('application/json');

    streams[0]?.end();
    await expect.poll(() => streams.length).toBe(2);
    expect(run.registry.requests[1]?.path).toBe('/v1/events?type=layer.ingested&since=7');
    streams[1]?.write('{"event":"_gap"}\n{"event":"artifact.published","data":{"id":"a/b"}}\n');
    await expect.poll(() => output.stdout).toContain('artifact.published a/b -> 500 in ');
    expect(output.stderr).toContain('warning: some events were not forwarded');

    run.stop.abort();
    expect((await run.ended).code).toBe(0);
    expect(output.stdout).toContain('Forwarded 2 events: 1 accepted, 1 failed\n');
    expect(output.stdout + output.stderr).not.toContain('my secret');
  });

  test('prints a generated secret at the start, then JSON lines', async () => {
    const { streams, receiver, output, stop, ended } = await listen(' --json');
    await expect.poll(() => output.stderr).toContain('To stop, press Ctrl-C.');
    const [, secret = ''] = /^Secret: whsec_(\S+)$/m.exec(output.stderr) ?? [];
    streams[0]?.write(`${EVENT}\n`);
    await expect.poll(() => output.stdout).toContain('\n');
    const [request] = receiver.requests;
    const { 'webhook-id': id, 'webhook-timestamp': time } = request?.headers ?? {};
    const digest = createHmac('sha256', Buffer.from(secret, 'base64'))
      .update(`${String(id)}.${String(time)}.${EVENT}`)
      .digest('base64');
    expect(request?.headers['webhook-signature']).toBe(`v1,${digest}`);
    stop.abort();
    await ended;
    const documents = output.stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(documents).toEqual([
      {
        webhook_id: id,
        event: 'layer.ingested',
        subject: 'base',
        cursor: '7',
        accepted: true,
        status: 204,
        duration_ms: expect.any(Number),
      },
      { summary: { forwarded: 1, accepted: 1, failed: 0 } },
    ]);
  });

  test('reports an unavailable receiver and continues', async () => {
    const { streams, receiver, output, stop, ended } = await listen('');
    await receiver.close();
    streams[0]?.write(`${EVENT}\n${EVENT}\n`);
    await expect
      .poll(() => output.stdout.match(/-> connection refused in \d+ ms/g))
      .toHaveLength(2);
    stop.abort();
    await ended;
    expect(output.stdout).toContain('Forwarded 2 events: 0 accepted, 2 failed');
  });
});
