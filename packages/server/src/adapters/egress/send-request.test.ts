import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { startTokenIssuer } from '@catalog/testkit/token-issuer';
import { expect, onTestFinished, test } from 'vitest';
import { resolveHost, type EgressRules } from './check-address.ts';
import { createSendRequest, EgressError, type EgressAnswer } from './send-request.ts';

const RULES: EgressRules = {
  allowed_hosts: [],
  proxy: { http: undefined, https: undefined, except: [] },
  ca_file: undefined,
};
const LIMITS = { max_bytes: 1000, timeout_ms: 5000 };

function sendOnce(url: string, rules: EgressRules, limits = LIMITS): Promise<EgressAnswer> {
  return createSendRequest(rules, resolveHost)({ url, ...limits });
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

test('sends HTTPS requests only to allowed hosts with a trusted certificate authority', async () => {
  const { issuer, ca_file } = await startTokenIssuer();
  const allowed_hosts = [new URL(issuer).host];
  const answer = await sendOnce(`${issuer}/keys`, { ...RULES, allowed_hosts, ca_file });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body.toString())).toHaveProperty('keys');
  await expect(sendOnce(`${issuer}/keys`, { ...RULES, allowed_hosts })).rejects.toThrow(
    EgressError,
  );
  await expect(sendOnce(`${issuer}/keys`, { ...RULES, ca_file })).rejects.toThrow('loopback');
});

test('a sender does not follow redirects and enforces the size limit and the timeout', async () => {
  const issuer = await startTokenIssuer();
  const { ca_file } = issuer;
  const rules = { ...RULES, allowed_hosts: ['127.0.0.1'], ca_file };
  issuer.overrideResponse = (path, response) => {
    if (path === '/moved') response.writeHead(302, { location: '/keys' }).end();
    else if (path === '/long') response.end('x'.repeat(LIMITS.max_bytes + 1));
    return true;
  };
  expect(await sendOnce(`${issuer.issuer}/moved`, rules)).toMatchObject({ status: 302 });
  expect(issuer.keySetRequests()).toBe(0);
  await expect(sendOnce(`${issuer.issuer}/long`, rules)).rejects.toThrow('larger than 1000 bytes');
  const hurried = { ...LIMITS, timeout_ms: 50 };
  await expect(sendOnce(`${issuer.issuer}/silent`, rules, hurried)).rejects.toThrow(
    'no response within 50 ms',
  );
});

test('connects through the configured proxy', async () => {
  const { issuer, ca_file } = await startTokenIssuer();
  const tunnels: string[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url = '' }, socket) => {
    tunnels.push(url);
    const onward = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  const url = await listen(proxy);
  const rules = {
    ...RULES,
    allowed_hosts: ['127.0.0.1'],
    ca_file,
    proxy: { http: undefined, https: url, except: [] },
  };
  expect(await sendOnce(`${issuer}/keys`, rules)).toMatchObject({ status: 200 });
  expect(tunnels).toEqual([new URL(issuer).host]);
  const direct = { ...rules, proxy: { ...rules.proxy, except: ['127.0.0.1'] } };
  expect(await sendOnce(`${issuer}/keys`, direct)).toMatchObject({ status: 200 });
  expect(tunnels).toHaveLength(1);
  const { port } = new URL(issuer);
  const named = createSendRequest({ ...rules, allowed_hosts: ['localhost'] }, async () => [
    '127.0.0.7',
  ]);
  const keys = `https://localhost:${port}/keys`;
  expect(await named({ url: keys, ...LIMITS })).toMatchObject({ status: 200 });
  expect(tunnels.at(-1)).toBe(`127.0.0.7:${port}`);
});

test.each([
  ['single', 5, 5],
  ['kept', 1, 5],
] as const)(
  'opens connections in mode %s: %s for five requests',
  async (connections, expected, requests) => {
    let made = 0;
    const server = createServer((_, response) => response.end('well'));
    server.on('connection', () => (made += 1));
    const url = await listen(server);
    const rules = { ...RULES, allowed_hosts: ['127.0.0.1'] };
    const send = createSendRequest(rules, resolveHost, { connections });
    for (let time = 0; time < requests; time += 1) {
      expect((await send({ url, ...LIMITS })).body.toString()).toBe('well');
    }
    expect(made).toBe(expected);
  },
);

test('a sender opens a new connection if a kept-alive one closes on reuse', async () => {
  const used = new WeakSet<object>();
  let answered = 0;
  const server = createServer(({ socket }, response) => {
    if (used.has(socket)) socket.destroy();
    else response.end(`answer ${(answered += 1)}`);
    used.add(socket);
  });
  const url = await listen(server);
  const rules = { ...RULES, allowed_hosts: ['127.0.0.1'] };
  const send = createSendRequest(rules, resolveHost, { connections: 'kept' });
  for (let time = 1; time <= 3; time += 1) {
    expect((await send({ url, ...LIMITS })).body.toString()).toBe(`answer ${time}`);
  }
});
