import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { HarnessCapabilities } from '@catalog/core/lint/context';
import { nearest } from '@catalog/core/text/nearest';
import type { HarnessAdapter } from './adapter.ts';
import { harnessA } from './adapters/harness-a/index.ts';
import { none } from './adapters/none/index.ts';

/** Every adapter by the value of `--harness`, in the order they are listed. */
export const adapters: ReadonlyMap<string, HarnessAdapter> = new Map(
  [none, harnessA].map((adapter) => [adapter.id, adapter]),
);

/** The adapter of that name, or a refusal that lists those there are. */
export function loadAdapter(id: string): HarnessAdapter {
  const adapter = adapters.get(id);
  if (adapter !== undefined) return adapter;
  const available = [...adapters.keys()];
  const meant = nearest(id, available);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new CatalogError(
    'config.unknown_harness',
    `There is no harness ${JSON.stringify(id)}.${hint} There are: ${available.join(', ')}.`,
    {
      details: { harness: id, available, ...(meant === undefined ? {} : { did_you_mean: meant }) },
    },
  );
}

/** The capability matrix: for each harness its column. */
export function harnessCapabilities(): HarnessCapabilities {
  return new Map([...adapters].map(([id, { capabilities }]) => [id, capabilities]));
}
