import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkedVersions, readNewestVersions } from '../harness-programs/versions.ts';
import { HARNESS_PAGES } from './guide-pages.ts';
import { alignedTable } from './markdown.ts';
import { fillRegions } from './regions.ts';

export function versionsPage(root: string): { path: string; present: string; wanted: string } {
  const path = `${HARNESS_PAGES}/checked-by-programs.md`;
  const present = readFileSync(join(root, path), 'utf8');
  return { path, present, wanted: fillRegions(present, { versions: versionTable }) };
}

function versionTable(): string {
  const { seen, versions } = readNewestVersions();
  const rows = checkedVersions().map(({ harness, tool, version, checked, package: published }) => [
    `[${tool}](${harness}.md)`,
    version ?? 'not run',
    checked,
    published === undefined ? 'no package' : (versions[published.name] ?? 'unknown'),
  ]);
  return alignedTable(['Program', 'Version checked', 'Date', `Newest known on ${seen}`], rows);
}
