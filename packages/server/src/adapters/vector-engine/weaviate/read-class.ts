import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { z } from 'zod';

const oneClass = z.object({
  vectorizer: z.string().optional(),
  vectorIndexConfig: z.object({ distance: z.string().optional() }).optional(),
  vectorConfig: z.record(z.string(), z.unknown()).optional(),
  multiTenancyConfig: z.object({ enabled: z.boolean().optional() }).optional(),
  properties: z.array(z.object({ name: z.string() })).nullish(),
});

export function hasObjects(found: unknown): boolean {
  if (found === null) return false;
  const { properties } = oneClass.parse(found);
  return (properties ?? []).some(({ name }) => name === 'marks');
}

/** Parses a class and rejects an unusable one. Null means that the class does not exist yet. */
export function readClass(
  found: unknown,
  { collection, vectorizer }: { collection: string; vectorizer: string | undefined },
): void {
  const trouble =
    found === null ? absence(vectorizer) : findProblem(oneClass.parse(found), vectorizer);
  if (trouble === undefined) return;
  throw new CatalogError(
    'config.invalid',
    `The Weaviate collection ${collection} ${trouble.what}.`,
    {
      details: { key: 'vector_backend.weaviate.collection' },
      suggested_action: trouble.fix,
    },
  );
}

interface ClassProblem {
  what: string;
  fix: string;
}

/**
 * Describes a missing class. Weaviate creates one for vectors automatically; only the operator can create one that
 * embeds.
 */
function absence(vectorizer: string | undefined): ClassProblem | undefined {
  if (vectorizer === undefined) return undefined;
  return {
    what: 'does not exist',
    fix: `Create it with the vectorizer ${vectorizer} on its property \`text\` only, or remove vector_backend.weaviate.vectorizer.`,
  };
}

function findProblem(
  { vectorizer, vectorIndexConfig, vectorConfig, multiTenancyConfig }: z.infer<typeof oneClass>,
  wanted: string | undefined,
): ClassProblem | undefined {
  if (Object.keys(vectorConfig ?? {}).length > 0) {
    return { what: 'has named vectors', fix: 'Use a collection with one unnamed vector.' };
  }
  if (multiTenancyConfig?.enabled === true) {
    return {
      what: 'has multi-tenancy enabled',
      fix: 'Use a collection without multi-tenancy; catalog separates tenants itself.',
    };
  }
  const distance = vectorIndexConfig?.distance ?? 'cosine';
  if (distance !== 'cosine') {
    return {
      what: `uses the distance ${distance} instead of cosine`,
      fix: 'Use a collection with the distance cosine.',
    };
  }
  if (wanted === undefined || vectorizer === wanted) return undefined;
  return {
    what: `uses the vectorizer ${vectorizer ?? 'none'} instead of ${wanted}`,
    fix: `Use a collection with the vectorizer ${wanted}, or fix vector_backend.weaviate.vectorizer.`,
  };
}
