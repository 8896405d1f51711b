import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { MAX_WEBHOOK_RESPONSE_BYTES, type WebhookSender } from '@catalog/core/ports/webhook-sender';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import { startWebhookReceiver, type WebhookReceiver } from '@catalog/testkit/webhook-receiver';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { EgressRules } from '../egress/check-address.ts';
import { toWebhookRules } from './webhook-rules.ts';
import { openWebhookSender, type WebhookSenderOptions } from './webhook-sender.ts';

const LIVE = new AbortController().signal;
const BODY = Buffer.from('{"event":"layer.ingested"}');
const RULES: EgressRules = {
  allowed_hosts: [],
  proxy: { http: undefined, https: undefined, except: [] },
  ca_file: undefined,
};
const LOOPBACK = toWebhookRules(RULES, ['127.0.0.0/8']);

function openSender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const sender = openWebhookSender({
    rules: RULES,
    resolve: async () => ['127.0.0.1'],
    monotonicMs: () => performance.now(),
    now: () => new Date('2026-01-01T00:00:00Z'),
    ...options,
  });
  onTestFinished(() => sender.close());
  return sender;
}

function openFor(
  { ca_file }: Pick<WebhookReceiver, 'ca_file'>,
  options: Partial<WebhookSenderOptions> = {},
): WebhookSender {
  return openSender({ rules: { ...LOOPBACK, ca_file }, ...options });
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return (server.address() as AddressInfo).port;
}

describe('URL policy', () => {
  const NAMES: Readonly<Record<string, readonly string[]>> = {
    'public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
    'private.example': ['10.0.0.7'],
    'mixed.example': ['93.184.215.14', '10.0.0.7'],
    'metadata.example': ['169.254.169.254'],
    'hooks.corp': ['10.1.1.1'],
    'bücher.example': ['93.184.215.14'],
    'xn--bcher-kva.example': ['10.0.0.7'],
  };
  const OTHER: EgressRules = { ...RULES, allowed_hosts: ['private.example', '192.168.8.1'] };
  const LISTED = toWebhookRules(OTHER, ['hooks.corp', '192.168.7.0/24', 'fd00::/8']);
  const check = (url: string, rules = LISTED): Promise<void> =>
    openSender({ rules, resolve: async (name) => NAMES[name] ?? [] }).check(url, LIVE);

  test.each([
    'https://public.example/hook?key=1',
    'https://public.example:8443/',
    'https://1.1.1.1/',
    'https://[2606:4700:4700::1111]/',
    'https://hooks.corp/',
    'https://192.168.7.9/',
    'https://3232237321/',
    'https://[fd12::1]/',
    'https://[::ffff:192.168.7.9]/',
  ])('allows %s', async (url) => {
    await expect(check(url)).resolves.toBeUndefined();
  });

  test.each([
    ['http://public.example/', 'public.example'],
    ['http://hooks.corp/', 'hooks.corp'],
    ['http://192.168.7.9/', '192.168.7.9'],
    ['ftp://hooks.corp/', 'hooks.corp'],
    ['https://ann:secret@public.example/', 'public.example'],
    ['https://ann@public.example/', 'public.example'],
    ['https://public.example:0/', 'public.example'],
    ['https://private.example/', 'private.example'],
    ['https://mixed.example/', 'mixed.example'],
    ['https://metadata.example/', 'metadata.example'],
    ['https://nowhere.example/', 'nowhere.example'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://127.0.0.1/', '127.0.0.1'],
    ['https://2130706433/', '127.0.0.1'],
    ['https://0x7f.1/', '127.0.0.1'],
    ['https://0177.0.0.1/', '127.0.0.1'],
    ['https://①②⑦.0.0.1/', '127.0.0.1'],
    ['https://0/', '0.0.0.0'],
    ['https://169.254.169.254/', '169.254.169.254'],
    ['https://192.168.8.1/', '192.168.8.1'],
    ['https://100.64.0.1/', '100.64.0.1'],
    ['https://[::1]/', '::1'],
    ['https://[::ffff:7f00:1]/', '::ffff:7f00:1'],
    ['https://[64:ff9b::a00:1]/', '64:ff9b::a00:1'],
    ['https://[2002:7f00:1::]/', '2002:7f00:1::'],
    ['https://[fe80::1]/', 'fe80::1'],
  ])('rejects %s and includes %s in the reason', async (url, host) => {
    await expect(check(url)).rejects.toMatchObject({
      code: 'registry.invalid_argument',
      message: expect.stringContaining(host),
    });
  });

  test.each(['', 'hook', '//public.example/', 'https://', 'https://[::1', 'https://a b/'])(
    'rejects %j, which is not a URL',
    async (url) => {
      await expect(check(url)).rejects.toMatchObject({ code: 'registry.invalid_argument' });
    },
  );

  test('does not reveal the addresses of a name', async () => {
    const messages = await Promise.all(
      ['private', 'metadata', 'nowhere'].map((name) =>
        check(`https://${name}.example/`).catch((error: unknown) =>
          String(error).replace(name, 'name'),
        ),
      ),
    );
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).not.toContain('10.0.0.7');
  });

  test('requires a resolvable name, also behind a proxy, unless the host is listed', async () => {
    const proxy = { http: undefined, https: 'http://proxy.corp:3128', except: [] };
    const rules = { ...LISTED, allowed_hosts: ['outside.corp'], proxy };
    await expect(check('https://outside.corp/', rules)).resolves.toBeUndefined();
    await expect(check('https://nowhere.example/', rules)).rejects.toThrow('nowhere.example');
  });
});

describe('delivery attempt', () => {
  test('posts the bytes and the headers, and reports the response', async () => {
    const receiver = await startWebhookReceiver();
    receiver.respond = (response) => response.writeHead(202).end('well received');
    const headers = { 'content-type': 'application/json', 'webhook-id': 'msg_1' };
    const result = await openFor(receiver).send(`${receiver.url}?a=%20b`, headers, BODY, LIVE);
    expect(result).toEqual({
      kind: 'responded',
      status: 202,
      retry_after_ms: undefined,
      response: 'well received',
      duration_ms: expect.any(Number),
    });
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        path: '/hook?a=%20b',
        body: BODY,
        servername: 'localhost',
        headers: { ...headers, host: `localhost:${receiver.port}`, 'content-length': '26' },
      },
    ]);
  });

  test('sends nothing to a target that the policy rejects', async () => {
    const receiver = await startWebhookReceiver();
    const sender = openSender({ rules: { ...RULES, ca_file: receiver.ca_file } });
    for (const host of ['localhost', '127.0.0.1', '2130706433', '[::ffff:127.0.0.1]']) {
      const url = `https://${host}:${receiver.port}/`;
      expect(await sender.send(url, {}, BODY, LIVE)).toMatchObject({ kind: 'refused' });
    }
    const plain = `http://localhost:${receiver.port}/`;
    expect(await sender.send(plain, {}, BODY, LIVE)).toMatchObject({ kind: 'refused' });
    expect(receiver.connections).toBe(0);
  });

  test('does not reach a name that resolves to a private address after the check', async () => {
    const receiver = await startWebhookReceiver(['moving.example']);
    const answers = [['93.184.215.14'], ['127.0.0.1']];
    const sender = openSender({
      rules: { ...RULES, ca_file: receiver.ca_file },
      resolve: async () => answers.shift() ?? [],
    });
    const url = `https://moving.example:${receiver.port}/`;
    await sender.check(url, LIVE);
    expect(await sender.send(url, {}, BODY, LIVE)).toMatchObject({ kind: 'refused' });
    expect(answers).toEqual([]);
    expect(receiver.connections).toBe(0);
  });

  test.each([301, 302, 303, 307, 308])(
    'reports the redirect %i and does not follow it',
    async (status) => {
      const receiver = await startWebhookReceiver();
      receiver.respond = (response) => response.writeHead(status, { location: '/other' }).end();
      expect(await openFor(receiver).send(receiver.url, {}, BODY, LIVE)).toMatchObject({ status });
      expect(receiver.received).toHaveLength(1);
    },
  );

  test.each([
    ['120', 120_000],
    ['0', 0],
    ['1.5', 1500],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 23:59:30 GMT', 0],
    ['-1', undefined],
    ['1e9', undefined],
    ['soon', undefined],
    ['2026-01-01', undefined],
  ])('parses Retry-After: %s as %s ms', async (value, expected) => {
    const receiver = await startWebhookReceiver();
    receiver.respond = (response) => response.writeHead(503, { 'retry-after': value }).end();
    const result = await openFor(receiver).send(receiver.url, {}, BODY, LIVE);
    expect(result).toMatchObject({ status: 503, retry_after_ms: expected });
  });

  test.each([
    ['a long text', Buffer.from('é'.repeat(5000)), 'é'.repeat(512)],
    ['a character across the limit', Buffer.from(`x${'é'.repeat(600)}`), `x${'é'.repeat(511)}`],
    ['bytes that are not text', Buffer.alloc(3000, 0xff), '\uFFFD'.repeat(341)],
    ['a NUL', Buffer.from('a\0b'), 'a\uFFFDb'],
  ])('keeps the start of a response: %s', async (_, body, expected) => {
    const receiver = await startWebhookReceiver();
    receiver.respond = (response) => response.end(body);
    const result = await openFor(receiver).send(receiver.url, {}, BODY, LIVE);
    expect(result).toMatchObject({ kind: 'responded', response: expected });
    expect(Buffer.byteLength(expected)).toBeLessThanOrEqual(MAX_WEBHOOK_RESPONSE_BYTES);
  });

  test('stops reading an endless response', async () => {
    const receiver = await startWebhookReceiver();
    const closed = Promise.withResolvers<void>();
    receiver.respond = (response) => {
      const chunk = Buffer.alloc(16_384, 'x');
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      response.once('close', closed.resolve);
      more();
    };
    const result = await openFor(receiver).send(receiver.url, {}, BODY, LIVE);
    expect(result).toMatchObject({ kind: 'responded', status: 200, response: 'x'.repeat(1024) });
    await closed.promise;
  });

  test('counts the status of a response that never ends', async () => {
    const receiver = await startWebhookReceiver();
    const sender = openFor(receiver, { timeout_ms: 2000 });
    await sender.send(receiver.url, {}, BODY, LIVE);
    receiver.respond = (response) => response.writeHead(200).write('slow');
    const result = await sender.send(receiver.url, {}, BODY, LIVE);
    expect(result).toMatchObject({ kind: 'responded', status: 200, response: 'slow' });
  });

  test('fails if no response arrives in time', async () => {
    const receiver = await startWebhookReceiver();
    receiver.respond = () => {};
    const result = await openFor(receiver, { timeout_ms: 100 }).send(receiver.url, {}, BODY, LIVE);
    expect(result).toMatchObject({ kind: 'failed', reason: 'no response within 0.1 s' });
  });

  test('fails if the receiver rejects the connection, closes it, or sends no HTTP', async () => {
    const receiver = await startWebhookReceiver();
    const sender = openFor(receiver);
    receiver.respond = (response) => response.destroy();
    expect(await sender.send(receiver.url, {}, BODY, LIVE)).toMatchObject({
      kind: 'failed',
      reason: 'the receiver closed the connection without a response',
    });
    receiver.respond = (response) => response.socket?.end('nonsense\r\n\r\n');
    expect(await sender.send(receiver.url, {}, BODY, LIVE)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('not valid HTTP'),
    });
    receiver.respond = (response) =>
      response.socket?.end(
        'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      );
    expect(await sender.send(receiver.url, {}, BODY, LIVE)).toMatchObject({ kind: 'failed' });
    receiver.respond = (response) => response.setHeader('x-long', 'x'.repeat(9000)).end();
    expect(await sender.send(receiver.url, {}, BODY, LIVE)).toMatchObject({
      kind: 'failed',
      reason: 'the headers of the response are too large',
    });
    // The listener stays open, because another test could listen on the port of a closed one.
    const refused = receiver.url.replace(String(receiver.port), '1');
    expect(await sender.send(refused, {}, BODY, LIVE)).toMatchObject({
      kind: 'failed',
      reason: 'the receiver refused the connection',
    });
  });

  test('requires a trusted certificate for the host', async () => {
    const receiver = await startWebhookReceiver();
    const untrusting = openSender({ rules: LOOPBACK });
    expect(await untrusting.send(receiver.url, {}, BODY, LIVE)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('the certificate of localhost is not trusted'),
    });
    const other = `https://other.example:${receiver.port}/`;
    expect(await openFor(receiver).send(other, {}, BODY, LIVE)).toMatchObject({
      kind: 'failed',
      reason: 'the certificate is not valid for other.example',
    });
    expect(receiver.received).toEqual([]);
  });

  test('rejects only if the signal aborts it', async () => {
    const receiver = await startWebhookReceiver();
    const stop = new AbortController();
    receiver.respond = () => stop.abort(new Error('stopping'));
    const sender = openFor(receiver);
    await expect(sender.send(receiver.url, {}, BODY, stop.signal)).rejects.toThrow('stopping');
    await expect(sender.send(receiver.url, {}, BODY, stop.signal)).rejects.toThrow('stopping');
    expect(receiver.received).toHaveLength(1);
  });
});

describe('webhook connections', () => {
  test('are reused without another lookup', async () => {
    const receiver = await startWebhookReceiver();
    let lookups = 0;
    const resolve = async (): Promise<string[]> => {
      lookups += 1;
      return ['127.0.0.1'];
    };
    const sender = openFor(receiver, { resolve });
    for (let time = 0; time < 5; time += 1) {
      expect(await sender.send(receiver.url, {}, BODY, LIVE)).toMatchObject({ status: 200 });
    }
    expect({ connections: receiver.connections, lookups }).toEqual({ connections: 1, lookups: 1 });
  });

  test('are not shared between the ports of a host', async () => {
    const authority = await createCertificateAuthority();
    const one = await startWebhookReceiver([], authority);
    const other = await startWebhookReceiver([], authority);
    const sender = openFor(one);
    for (const { url } of [one, other, one, other]) await sender.send(url, {}, BODY, LIVE);
    expect([one.received.length, other.received.length]).toEqual([2, 2]);
  });

  test('are replaced after a minute, when the name may resolve differently', async () => {
    const receiver = await startWebhookReceiver();
    let clock = 0;
    const sender = openFor(receiver, { monotonicMs: () => clock });
    for (const time of [0, 30_000, 61_000, 90_000]) {
      clock = time;
      await sender.send(receiver.url, {}, BODY, LIVE);
    }
    expect(receiver.connections).toBe(2);
  });

  test('are opened again if the receiver closed one at the moment of reuse', async () => {
    const receiver = await startWebhookReceiver();
    const used = new WeakSet<object>();
    receiver.respond = (response) => {
      const { socket } = response;
      if (socket === null || used.has(socket)) response.destroy();
      else response.end('first of its connection');
      if (socket !== null) used.add(socket);
    };
    const sender = openFor(receiver);
    for (let time = 0; time < 3; time += 1) {
      expect(await sender.send(receiver.url, {}, BODY, LIVE)).toMatchObject({ status: 200 });
    }
    expect(receiver.connections).toBe(3);
  });

  test('stay open longer than the connect timeout', async () => {
    const receiver = await startWebhookReceiver();
    const sender = openFor(receiver);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    receiver.respond = (response) => {
      vi.advanceTimersByTime(20_000);
      response.end();
    };
    expect(await sender.send(receiver.url, {}, BODY, LIVE)).toMatchObject({ status: 200 });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('are abandoned on connect timeout', async () => {
    const receiver = await startWebhookReceiver();
    const sender = openFor(receiver, { connect_ms: 50, resolve: () => new Promise(() => {}) });
    expect(await sender.send(receiver.url, {}, BODY, LIVE)).toMatchObject({
      kind: 'failed',
      reason: 'the receiver did not accept the connection in time',
    });
  });

  test('are not kept alive if the receiver never completes the TLS handshake', async () => {
    const port = await listen(createTcpServer((socket) => socket.on('error', () => {})));
    const sender = openFor(await startWebhookReceiver(), { timeout_ms: 100 });
    const result = await sender.send(`https://localhost:${port}/`, {}, BODY, LIVE);
    expect(result).toMatchObject({ kind: 'failed', reason: 'no response within 0.1 s' });
  });
});

describe('webhook sender behind a proxy', () => {
  async function startProxy(status: (authority: string) => number = () => 200) {
    const tunnels: string[] = [];
    const proxy = createServer();
    proxy.on('connect', ({ url = '' }, socket) => {
      tunnels.push(url);
      if (status(url) !== 200) {
        socket.end(`HTTP/1.1 ${status(url)} Rejected\r\n\r\n`);
        return;
      }
      const onward = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
      socket.on('close', () => onward.destroy());
    });
    const https = `http://127.0.0.1:${await listen(proxy)}`;
    onTestFinished(() => proxy.closeAllConnections());
    return { tunnels, proxy: { http: undefined, https, except: [] } };
  }
  const resolve = async (name: string): Promise<string[]> =>
    name === 'hooks.example' ? ['93.184.215.14'] : [];

  test('connects to the checked address, with the host name in SNI and Host', async () => {
    const receiver = await startWebhookReceiver(['hooks.example']);
    const { proxy, tunnels } = await startProxy();
    const sender = openFor(receiver, {
      rules: { ...RULES, proxy, ca_file: receiver.ca_file },
      resolve,
    });
    const url = `https://hooks.example:${receiver.port}/hook`;
    for (let time = 0; time < 2; time += 1) {
      expect(await sender.send(url, {}, BODY, LIVE)).toMatchObject({ status: 200 });
    }
    expect(tunnels).toEqual([`93.184.215.14:${receiver.port}`]);
    expect(receiver.received[0]).toMatchObject({
      servername: 'hooks.example',
      headers: { host: `hooks.example:${receiver.port}` },
    });
  });

  test('sends the host name to the proxy only if the operator lists it', async () => {
    const receiver = await startWebhookReceiver(['hooks.example', 'outside.corp']);
    const { proxy, tunnels } = await startProxy((authority) => (/^\d/.test(authority) ? 403 : 200));
    const { port, ca_file } = receiver;
    const rules = { ...RULES, proxy, ca_file };
    const unlisted = openFor(receiver, { rules, resolve });
    expect(await unlisted.send(`https://hooks.example:${port}/`, {}, BODY, LIVE)).toMatchObject({
      kind: 'failed',
      reason: 'the proxy rejected the connection with status 403',
    });
    expect(await unlisted.send(`https://outside.corp:${port}/`, {}, BODY, LIVE)).toMatchObject({
      kind: 'refused',
    });
    expect(tunnels).toEqual([`93.184.215.14:${port}`]);
    const listed = openFor(receiver, { rules: { ...rules, allowed_hosts: ['*.corp'] }, resolve });
    expect(await listed.send(`https://outside.corp:${port}/`, {}, BODY, LIVE)).toMatchObject({
      status: 200,
    });
    expect(tunnels.at(-1)).toBe(`outside.corp:${port}`);
  });
});
