import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressProblem } from './address-problem.ts';

/** All special ranges in the registries of IANA: the first address, one inside, and the last. */
const SPECIAL: [name: string, ...addresses: string[]][] = [
  ['this network', '0.0.0.0', '0.1.2.3', '0.255.255.255'],
  ['private', '10.0.0.0', '10.20.30.40', '10.255.255.255'],
  ['carrier-grade NAT', '100.64.0.0', '100.100.100.200', '100.127.255.255'],
  ['loopback', '127.0.0.0', '127.0.0.1', '127.255.255.255'],
  ['link-local', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['private', '172.16.0.0', '172.20.0.1', '172.31.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.170', '192.0.0.255'],
  ['documentation', '192.0.2.0', '192.0.2.7', '192.0.2.255'],
  ['6to4 relays', '192.88.99.0', '192.88.99.1', '192.88.99.255'],
  ['private', '192.168.0.0', '192.168.1.1', '192.168.255.255'],
  ['benchmarks', '198.18.0.0', '198.18.1.1', '198.19.255.255'],
  ['documentation', '198.51.100.0', '198.51.100.7', '198.51.100.255'],
  ['documentation', '203.0.113.0', '203.0.113.7', '203.0.113.255'],
  ['multicast', '224.0.0.0', '230.1.2.3', '239.255.255.255'],
  ['reserved', '240.0.0.0', '250.1.2.3', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['IPv4-compatible', '::7f00:1', '::808:808', '::8.8.8.8', '0:0:0:0:0:0:8.8.8.8'],
  ['IPv4-mapped private', '::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:169.254.169.254'],
  ['translated', '::ffff:0:7f00:1'],
  ['NAT64', '64:ff9b::7f00:1', '64:ff9b::a00:1', '64:ff9b::808:808'],
  ['local NAT64', '64:ff9b:1::', '64:ff9b:1:ffff::1'],
  ['discard', '100::', '100::1'],
  ['teredo', '2001::', '2001:0:53aa:64c:0:0:80ff:fffe'],
  ['benchmarks', '2001:2::', '2001:2:0:ffff::1'],
  ['orchid', '2001:10::1', '2001:20::1'],
  ['documentation', '2001:db8::', '2001:db8:ffff::1'],
  ['6to4', '2002::', '2002:7f00:1::', '2002:a00:1::1'],
  ['documentation', '3fff::', '3fff:fff::1'],
  ['not given out', '4000::1', '8000::1', 'e000::1'],
  ['unique local', 'fc00::', 'fd00:ec2::254', 'fdff:ffff::1'],
  ['link-local', 'fe80::', 'fe80::1', 'febf::1'],
  ['site-local', 'fec0::', 'feff::1'],
  ['multicast', 'ff00::', 'ff02::1', 'ffff::1'],
  ['the host itself', '168.63.129.16', '::ffff:168.63.129.16'],
];

describe('addressProblem', () => {
  test.each(SPECIAL)('rejects addresses of the range %s', (_name, ...addresses) => {
    for (const address of addresses) expect(addressProblem(address), address).toBeDefined();
  });

  test.each(['', 'localhost', 'example.com', '1.2.3.4.5', 'fe80::1%eth0x', '1.2.3.4/8'])(
    'rejects %j, which is not an address',
    (address) => expect(addressProblem(address)).toBeDefined(),
  );
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '::ffff:8.8.8.8',
])('addressProblem accepts the public address %s', (address) => {
  expect(addressProblem(address)).toBeUndefined();
});

test('addressProblem returns the same for an IPv4 address and its IPv4-mapped form', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const plain = addressProblem(address) === undefined;
      expect(addressProblem(`::ffff:${address}`) === undefined).toBe(plain);
      // A translator may forward these addresses to any destination.
      expect(addressProblem(`64:ff9b::${address}`)).toBeDefined();
    }),
  );
});
