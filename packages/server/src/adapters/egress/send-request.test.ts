import { createServer } from 'node:http';
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

function ask(url: string, rules: EgressRules, limits = LIMITS): Promise<EgressAnswer> {
  return createSendRequest(rules, resolveHost)({ url, ...limits });
}

test('asks by https, with the authority the operator names, of a host the operator names', async () => {
  const { issuer, ca_file } = await startTokenIssuer();
  const allowed_hosts = [new URL(issuer).host];
  const answer = await ask(`${issuer}/keys`, { ...RULES, allowed_hosts, ca_file });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body.toString())).toHaveProperty('keys');
  await expect(ask(`${issuer}/keys`, { ...RULES, allowed_hosts })).rejects.toThrow(EgressError);
  await expect(ask(`${issuer}/keys`, { ...RULES, ca_file })).rejects.toThrow('loopback');
});

test('follows no redirect, and takes no more and waits no longer than it is told', async () => {
  const issuer = await startTokenIssuer();
  const { ca_file } = issuer;
  const rules = { ...RULES, allowed_hosts: ['127.0.0.1'], ca_file };
  issuer.meddle = (path, response) => {
    if (path === '/moved') response.writeHead(302, { location: '/keys' }).end();
    else if (path === '/long') response.end('x'.repeat(LIMITS.max_bytes + 1));
    return true;
  };
  expect(await ask(`${issuer.issuer}/moved`, rules)).toMatchObject({ status: 302 });
  expect(issuer.keySetRequests()).toBe(0);
  await expect(ask(`${issuer.issuer}/long`, rules)).rejects.toThrow('longer than 1000 bytes');
  const hurried = { ...LIMITS, timeout_ms: 50 };
  await expect(ask(`${issuer.issuer}/silent`, rules, hurried)).rejects.toThrow(
    'no answer in 50 ms',
  );
});

test('goes through the proxy, where there is one', async () => {
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
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = proxy.address() as AddressInfo;
  const rules = {
    ...RULES,
    allowed_hosts: ['127.0.0.1'],
    ca_file,
    proxy: { http: undefined, https: `http://127.0.0.1:${port}`, except: [] },
  };
  expect(await ask(`${issuer}/keys`, rules)).toMatchObject({ status: 200 });
  expect(tunnels).toEqual([new URL(issuer).host]);
  const direct = { ...rules, proxy: { ...rules.proxy, except: ['127.0.0.1'] } };
  expect(await ask(`${issuer}/keys`, direct)).toMatchObject({ status: 200 });
  expect(tunnels).toHaveLength(1);
});
