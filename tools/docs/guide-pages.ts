import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adapters } from '@catalog/harness/registry';
import { THIN_PROFILES } from '@catalog/harness/adapters/thin-profiles';
import { fillHarnessRegions } from './guide-regions.ts';
import { thinPage } from './thin-page.ts';

export const HARNESS_PAGES = 'docs/guide/harnesses';

const WITHOUT_PAGE = 'none';

export function harnessGuidePages(
  root: string,
): { path: string; present: string; wanted: string }[] {
  return [...adapters.keys()]
    .filter((id) => id !== WITHOUT_PAGE)
    .map((id) => {
      const path = `${HARNESS_PAGES}/${id}.md`;
      const row = THIN_PROFILES.find((one) => one.id === id);
      const file = join(root, path);
      const present = row === undefined || existsSync(file) ? readFileSync(file, 'utf8') : '';
      const written = row === undefined ? present : thinPage(row);
      return { path, present, wanted: fillHarnessRegions(written, id) };
    });
}
