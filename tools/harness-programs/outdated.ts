import { writeFileSync } from 'node:fs';
import { inParallel } from '@catalog/core/in-parallel';
import {
  checkedVersions,
  NEWEST_FILE,
  outdatedReasons,
  publishedVersion,
  type NewestVersions,
} from './versions.ts';

const AT_ONCE = 4;

/** Reports outdated products. Returns 1 if something must be checked again. */
export async function reportOutdated({ record }: { record: boolean }): Promise<number> {
  const seen = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  const checked = checkedVersions();
  const packages = checked.flatMap(({ package: published }) => published ?? []);
  const found = await inParallel(packages, { parallel: AT_ONCE }, async (published) => {
    return [published.name, await publishedVersion(published)] as const;
  });
  const newest: NewestVersions = {
    seen,
    versions: Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
  let outdated = 0;
  for (const one of checked) {
    const reasons = outdatedReasons(one, newest, seen);
    if (reasons.length > 0) outdated += 1;
    const state = reasons.length === 0 ? 'current' : reasons.join(', ');
    process.stdout.write(
      `${one.tool.padEnd(32)} ${(one.version ?? '-').padEnd(16)} ${one.checked}  ${state}\n`,
    );
  }
  process.stdout.write(`${outdated} of ${checked.length} to check again\n`);
  if (record) writeFileSync(NEWEST_FILE, `${JSON.stringify(newest, null, 2)}\n`);
  return outdated === 0 ? 0 : 1;
}
