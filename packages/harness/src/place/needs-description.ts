import type { Artifact } from '@catalog/core/artifact/types';
import type { Untranslatable } from '../adapter.ts';

/** Why a product that drops agents it cannot describe would drop this one; undefined where it takes it. */
export function withoutDescription(
  { description }: Artifact,
  product: string,
): Untranslatable | undefined {
  if (description.trim() !== '') return undefined;
  return { untranslatable: `${product} ignores an agent without a description; write one` };
}
