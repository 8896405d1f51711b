import type { Artifact } from '@catalog/core/artifact/types';
import type { PlannedFile } from '../planned.ts';
import type { ListingBudget } from './listing-budget.ts';
import type { ListedEntry } from './measure-listing.ts';

/** Lists the entries of the skill listing, with commands if the product lists them. Paths are below `directory`. */
export function listEntries(
  { types }: ListingBudget,
  artifacts: readonly Artifact[],
  files: readonly Pick<PlannedFile, 'path' | 'artifact_id'>[],
  directory: string,
): ListedEntry[] {
  const paths = new Map<string, string>();
  for (const { path, artifact_id } of files) {
    const known = paths.get(artifact_id);
    if (known === undefined || path.endsWith('/SKILL.md')) paths.set(artifact_id, path);
  }
  return artifacts.flatMap(({ id, type, description }) => {
    const path = paths.get(id);
    if (path === undefined || !types.some((listed) => listed === type)) return [];
    return [
      {
        artifact_id: id,
        name: id.slice(id.lastIndexOf('/') + 1),
        path: `${directory}/${path}`,
        description: oneLine(description),
      },
    ];
  });
}

/** Replaces line breaks and repeated spaces, like the products. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
