import { harnessSources } from '../harness-programs/sources.ts';
import { checkedVersions } from '../harness-programs/versions.ts';

/** The date, version and sources of a harness's page. */
export function sourcesOf(harness: string): string {
  const source = harnessSources[harness];
  if (source === undefined) throw new RangeError(`${harness} has no row in sources.ts`);
  const { version } = checkedVersions().find((one) => one.harness === harness) ?? {};
  const what = version === undefined ? '' : ` with version ${version}`;
  return `Last checked on ${source.checked}${what}. ${source.sources}`;
}
