import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { CACHE_MODES, type CacheMode } from './cache-modes.ts';
import { variable } from './sourced.ts';
import type { ConfigInput, Sourced } from './types.ts';

/** Reads `CATALOG_CACHE_MODE`. Without it, each program has its own default. */
export function resolveCacheMode(input: ConfigInput): Sourced<CacheMode> | undefined {
  const given = variable(input, 'CATALOG_CACHE_MODE');
  if (given === undefined) return undefined;
  const value = CACHE_MODES.find((mode) => mode === given.value);
  if (value === undefined) throw unknownMode(given.value);
  return { ...given, value };
}

function unknownMode(given: string): CatalogError {
  const all = CACHE_MODES.map((mode) => `\`${mode}\``).join(', ');
  return new CatalogError(
    'config.invalid',
    `CATALOG_CACHE_MODE is ${given}, but must be one of ${all}.`,
    {
      details: { available: [...CACHE_MODES] },
      suggested_action: 'Set one of them, or unset the variable.',
    },
  );
}
