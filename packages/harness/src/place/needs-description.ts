import type { Artifact } from '@catalog/core/artifact/types';
import type { Untranslatable } from '../adapter.ts';

export function withoutDescription(
  { description }: Artifact,
  product: string,
): Untranslatable | undefined {
  if (description.trim() !== '') return undefined;
  return { untranslatable: `${product} ignores an agent without a description; write one` };
}
