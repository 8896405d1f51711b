import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { expect, test } from 'vitest';
import { verifies } from '../../../tests/requirements/verifies.ts';
import { adapters, harnessCapabilities, loadAdapter } from './registry.ts';

test('loads an adapter by its id', () => {
  expect(loadAdapter('harness-a').id).toBe('harness-a');
});

verifies('ERR-23', 'a harness nobody registered is refused, and the nearest one named', () => {
  const error = refusal('harnes-a');
  expect(error.code).toBe('config.unknown_harness');
  expect(error.message).toContain('Did you mean harness-a?');
  expect(error.details).toEqual({
    harness: 'harnes-a',
    available: [...adapters.keys()],
    did_you_mean: 'harness-a',
  });
  expect(refusal('something else').message).not.toContain('Did you mean');
  expect(refusal('__proto__').code).toBe('config.unknown_harness');
});

function refusal(id: string): CatalogError {
  try {
    loadAdapter(id);
  } catch (error) {
    if (error instanceof CatalogError) return error;
  }
  throw new Error('was not refused');
}

test('the matrix has a column for every adapter', () => {
  const matrix = harnessCapabilities();
  expect([...matrix.keys()]).toEqual([...adapters.keys()]);
  expect(matrix.get('harness-a')?.['rule_mode:auto']).toBe('fallback');
  expect(Object.values(matrix.get('none') ?? {})).not.toContain('unsupported');
});
