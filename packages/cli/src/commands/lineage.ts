import type { Discovery } from '@catalog/consumer/discover/discovery';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Lineage } from '@catalog/contract/records/artifact';
import { alignColumns, type Line } from '../output/text.ts';

/** Returns the parents of an artifact; undefined without any, or if the registry cannot list them. */
export async function getLineage(
  discovery: Discovery,
  { id, version, layer }: { id: string; version: string; layer: string },
  signal: AbortSignal,
): Promise<Lineage | undefined> {
  try {
    const lineage = await discovery.loadLineage({ id, version, layer }, signal);
    return lineage.parents.length === 0 ? undefined : lineage;
  } catch (error) {
    // Earlier registries lack the endpoint.
    if (error instanceof CatalogError && error.code === 'registry.not_found') return undefined;
    throw error;
  }
}

export function lineageLines({ parents, fields, layer, id }: Lineage): Line[] {
  const inherited = fields.filter(({ from }) =>
    from.some((place) => place.layer !== layer || place.id !== id),
  );
  const chain = parents.map((parent): [string, string] => [
    `${parent.id} ${parent.version}`,
    `layer ${parent.layer}`,
  ]);
  const origins = inherited.map(({ name, from }): [string, string] => [
    name,
    [...new Set(from.map((place) => place.layer))].join(', '),
  ]);
  return [
    '',
    'Extends',
    ...alignColumns(chain, '  '),
    ...(origins.length === 0
      ? []
      : ['', 'Inherited fields, by layer', ...alignColumns(origins, '  ')]),
  ];
}
