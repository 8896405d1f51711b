import { expect, test } from 'vitest';
import { MAX_IMPORTS } from '../../domain/import-patterns.ts';
import type { DomainModel } from './domain-model.conformance.ts';

export interface DomainTables {
  model: DomainModel;
  countRows: (table: string) => Promise<number>;
}

export const TABLED_LAYERS = [1, 2, 3];
const TABLES = [
  'domains',
  'domain_files',
  'domain_members',
  'domain_sharings',
  'domain_shared_ids',
  'domain_overlaps',
  'domain_globs',
  'domain_imports',
  'domain_postings',
  'search_trigrams',
];

export async function fillTables(model: DomainModel): Promise<void> {
  const heads = { 'a/x': {}, 'a/b/y': {}, 'c/z': {}, 'd/w': {} };
  await model.putHeads(1, heads);
  for (const layer of TABLED_LAYERS) {
    await model.putDomains(layer, {
      a: { fields: { description: 'Letters.', include: ['c/*', 'd/**'] }, body: '' },
      'c/e': { fields: { unlisted: true }, body: 'Hidden.' },
    });
  }
  await model.putHeads(2, heads);
  await model.putHeads(3, { 'a/x': { deprecated: true }, 'c/e/v': {} });
}

export function domainTablesConformance(open: () => Promise<DomainTables>): void {
  test('domain tables are empty after everything is removed', async () => {
    const { model, countRows } = await open();
    await fillTables(model);
    for (const table of TABLES) expect(await countRows(table), table).toBeGreaterThan(0);
    for (const layer of TABLED_LAYERS) {
      await model.removeHeads(layer, ['a/x', 'a/b/y', 'c/z', 'd/w', 'c/e/v']);
      await model.removeDomains(layer, ['a', 'c/e']);
    }
    for (const table of TABLES) expect(await countRows(table), table).toBe(0);
  });

  test('domain_imports has a limited number of rows for any DOMAIN.md', async () => {
    const { model, countRows } = await open();
    const many = (from: number) =>
      Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`m/x${from + index}`, {}]));
    await model.putHeads(1, many(0));
    await model.putDomains(1, { all: { fields: { include: ['**'] }, body: '' } });
    expect(await countRows('domain_imports')).toBe(6000);
    await model.putHeads(1, many(6000));
    expect(await countRows('domain_imports')).toBe(MAX_IMPORTS);
    await model.putDomains(1, { again: { fields: { include: ['m/*', '**'] }, body: '' } });
    expect(await countRows('domain_imports')).toBe(2 * MAX_IMPORTS);
  });
}
