import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { expect, test } from 'vitest';
import { adviseModel } from './advise-model.ts';

test('adviseModel replaces advice that a model cannot follow and keeps the rest', () => {
  const locked = new CatalogError('materialize.locked', 'Another sync is writing to /w.', {
    details: { directory: '/w', holder: 'pid 1' },
  }).toEnvelope();
  expect(adviseModel(locked)).toEqual({
    ...locked,
    suggested_action: expect.stringContaining('load_artifact again'),
  });
  const invalid = new CatalogError('materialize.target_invalid', 'No.').toEnvelope();
  expect(adviseModel(invalid)).toEqual(invalid);
});
