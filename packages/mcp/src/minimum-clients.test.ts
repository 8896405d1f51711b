import { expect, test } from 'vitest';
import { getUnmetMinimum, readMinimumClients } from './minimum-clients.ts';

const MINIMUMS = readMinimumClients('Some Host=1.10, other=2,');

test.each([
  ['some host', '1.9.9', '1.10'],
  ['Some Host', '1.10', undefined],
  ['SOME host', '1.9', '1.10'],
  ['some host', 'v1.10.1', undefined],
  ['some host', '1.10.0-beta', undefined],
  ['some host', '2', undefined],
  ['some host', '1', '1.10'],
  ['other', '1.99.99', '2'],
  ['other', 'nightly', undefined],
  ['third', '0.0.1', undefined],
])('getUnmetMinimum for %s %s', (name, version, unmet) => {
  expect(getUnmetMinimum(MINIMUMS, { name, version })).toBe(unmet);
});

test.each(['host', 'host=', '=1', 'host=new', 'host=1.x'])(
  'readMinimumClients rejects %s',
  (value) => {
    expect(() => readMinimumClients(value)).toThrow(
      expect.objectContaining({ code: 'config.invalid' }),
    );
  },
);
