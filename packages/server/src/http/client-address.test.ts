import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { clientAddressBehind } from './client-address.ts';

function requestFrom(peer: string, forwarded?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  const incoming = new IncomingMessage(socket);
  if (forwarded !== undefined) incoming.headers['x-forwarded-for'] = forwarded;
  return incoming;
}

test.each([
  ['nobody is trusted', [], '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['the peer is no proxy', ['10.0.0.0/8'], '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['one proxy', ['10.0.0.0/8'], '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  [
    'a chain: the last that is no proxy',
    ['10.0.0.0/8'],
    '10.1.2.3',
    '1.2.3.4, 198.51.100.1, 10.9.9.9',
    '198.51.100.1',
  ],
  ['proxies only', ['10.0.0.0/8'], '10.1.2.3', '10.4.4.4, 10.9.9.9', '10.4.4.4'],
  ['nothing forwarded', ['10.1.2.3'], '10.1.2.3', undefined, '10.1.2.3'],
  ['nonsense forwarded', ['10.1.2.3'], '10.1.2.3', 'unknown, <script>', '10.1.2.3'],
  [
    'an address of the other family inside',
    ['10.1.2.3'],
    '::ffff:10.1.2.3',
    '2001:db8::1',
    '2001:db8::1',
  ],
  ['an IPv4 address with its port', ['10.1.2.3'], '10.1.2.3', '198.51.100.1:443', '198.51.100.1'],
  [
    'an IPv6 address with its port',
    ['10.1.2.3'],
    '10.1.2.3',
    '[2001:db8::1]:443, 10.1.2.3:8080',
    '2001:db8::1',
  ],
  ['an IPv6 address in brackets', ['10.1.2.3'], '10.1.2.3', '[2001:db8::1]', '2001:db8::1'],
  ['a proxy with its port', ['10.0.0.0/8'], '10.1.2.3', '1.2.3.4, 10.9.9.9:80', '1.2.3.4'],
  [
    'an IPv6 address that ends like a port',
    ['10.1.2.3'],
    '10.1.2.3',
    '2001:db8::1:4430',
    '2001:db8::1:4430',
  ],
  ['no address with a port', ['10.1.2.3'], '10.1.2.3', 'host:80, [x]:80, 1.2.3.4:x', '10.1.2.3'],
  ['an IPv6 network', ['fd00::/8'], 'fd00::1', '198.51.100.1', '198.51.100.1'],
])('clientAddressBehind: %s', (_, proxies, peer, forwarded, expected) => {
  expect(clientAddressBehind(proxies)(requestFrom(peer, forwarded))).toBe(expected);
});
