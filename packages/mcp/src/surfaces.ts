import { CatalogError } from '@catalog/contract/errors/catalog-error';

export const SURFACES = ['resources', 'prompts', 'skills'] as const;
export type Surface = (typeof SURFACES)[number];

/** Parses names of surfaces such as `resources,prompts` (CATALOG_MCP_SURFACES). */
export function readSurfaces(value: string | undefined): ReadonlySet<Surface> {
  const words = (value ?? '').split(',').map((word) => word.trim());
  return new Set(words.filter((word) => word !== '').map(toSurface));
}

function toSurface(word: string): Surface {
  const surface = SURFACES.find((known) => known === word);
  if (surface !== undefined) return surface;
  throw new CatalogError(
    'config.invalid',
    `CATALOG_MCP_SURFACES contains ${word}, but supports only ${SURFACES.join(', ')}.`,
    {
      details: { key: 'CATALOG_MCP_SURFACES', value: word, available: [...SURFACES] },
      suggested_action:
        'Separate them with commas, or leave it out; the four tools are always available.',
    },
  );
}
