import { expect, test } from 'vitest';
import { tablesOf } from './manifest.ts';

const FIRST = ['tenants', 'layer_numbers', 'layers', 'blobs', 'ledger', 'versions', 'rejections'];
const LAST = ['domains', 'jobs', 'outbox'];
const ACCESS = [
  'tenant_records',
  'admin_grants',
  'directory_resources',
  'directory_members',
  'directory_given_up',
];

test('tables of released archive formats do not change', () => {
  const [tenants = '', ...layers] = FIRST;
  expect(tablesOf(1)).toEqual([...FIRST, ...LAST, 'audit']);
  expect(tablesOf(2)).toEqual([tenants, ...ACCESS, ...layers, ...LAST, 'audit']);
  expect(tablesOf(3)).toEqual([tenants, ...ACCESS, ...layers, ...LAST, 'receivers', 'audit']);
});
