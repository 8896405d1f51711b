import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adapters } from '@catalog/harness/registry';
import { fillHarnessRegions } from './guide-regions.ts';

/** Where the pages for single harnesses lie, below the repository. */
export const HARNESS_PAGES = 'docs/guide/harnesses';

/** The canonical layout is for no product, and is explained where it is named. */
const WITHOUT_PAGE = 'none';

/** The page of every harness by its path below the repository, as it is and as it has to be. */
export function harnessGuidePages(
  root: string,
): { path: string; present: string; wanted: string }[] {
  return [...adapters.keys()]
    .filter((id) => id !== WITHOUT_PAGE)
    .map((id) => {
      const path = `${HARNESS_PAGES}/${id}.md`;
      const present = readFileSync(join(root, path), 'utf8');
      return { path, present, wanted: fillHarnessRegions(present, id) };
    });
}
