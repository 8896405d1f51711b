import { describe, expect, test } from 'vitest';
import { isInNetworks, parseAddressNetwork, type AddressNetwork } from './address-network.ts';

function parse(text: string): AddressNetwork {
  const network = parseAddressNetwork(text);
  if (network === undefined) throw new Error(`${text} is not a network`);
  return network;
}

describe('isInNetworks', () => {
  test.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
    ['10.0.0.0/8', '::ffff:a00:1', true],
    ['10.0.0.0/8', '64:ff9b::a00:1', false],
    ['10.0.0.0/8', '::10.0.0.1', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.4', false],
    ['10.1.2.0/31', '10.1.2.1', true],
    ['0.0.0.0/0', '127.0.0.1', true],
    ['0.0.0.0/0', '::1', false],
    ['fd00::/8', 'fdff::1', true],
    ['fd00::/8', 'fe80::1', false],
    ['::1', '0:0:0:0:0:0:0:1', true],
    ['::/0', '10.0.0.1', false],
    ['::/0', 'not an address', false],
  ])('%s with %s is %s', (network, address, contained) => {
    expect(isInNetworks([parse(network)], address)).toBe(contained);
  });

  test('an empty list contains no address', () => {
    expect(isInNetworks([], '1.1.1.1')).toBe(false);
  });
});

test.each([
  '',
  '10/8',
  '10.1/16',
  '012.0.0.0/8',
  '0x0a.0.0.0/8',
  '167772160/8',
  '10.1.2.3/8',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '10.0.0.0/-1',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.0/255.0.0.0',
  '::ffff:10.0.0.0/104',
  'fe80::1%eth0',
  'fd00::1/8',
  'fd00::/129',
  '[fd00::]/8',
  'example.com',
])('parseAddressNetwork returns undefined for %j', (text) => {
  expect(parseAddressNetwork(text)).toBeUndefined();
});
