import { describeHarness } from '@catalog/harness/describe-harness';
import { loadAdapter } from '@catalog/harness/registry';
import { harnessSources } from '../harness-programs/sources.ts';
import { checkedVersions } from '../harness-programs/versions.ts';
import {
  otherFilesSentences,
  eventRows,
  homeEventRows,
  landingHead,
  landingRows,
  limitationRows,
} from './harness-facts.ts';
import { drawTree } from './harness-tree.ts';
import { alignedTable, fence } from './markdown.ts';
import { fillRegions } from './regions.ts';

/** Generated parts of pages, which are between two comments. */
const REGIONS: Readonly<Record<string, (id: string) => string>> = {
  landings: (id) => {
    const harness = describeHarness(loadAdapter(id));
    return alignedTable(landingHead(harness), landingRows(harness));
  },
  otherfiles: (id) =>
    otherFilesSentences(describeHarness(loadAdapter(id)))
      .map((sentence) => `- ${sentence}`)
      .join('\n'),
  tree: (id) => fence(drawTree(loadAdapter(id)) || 'nothing', 'text'),
  hometree: (id) => fence(drawTree(loadAdapter(id, 'user')), 'text'),
  events: (id) => {
    const rows = eventRows(describeHarness(loadAdapter(id)).project);
    return alignedTable(['Hook event', 'Native event'], rows);
  },
  homeevents: (id) => {
    const rows = homeEventRows(describeHarness(loadAdapter(id)));
    return alignedTable(['Hook event', 'Native event'], rows);
  },
  sources: sourcesOf,
  odd: (id) => {
    const rows = limitationRows(describeHarness(loadAdapter(id)).project);
    return rows.length === 0
      ? 'Every feature works as written.'
      : alignedTable(['Feature', 'Result', 'Reason'], rows);
  },
};

export function fillHarnessRegions(text: string, id: string): string {
  const regions = Object.entries(REGIONS).map(
    ([name, render]) => [name, () => render(id)] as const,
  );
  return fillRegions(text, Object.fromEntries(regions));
}

function sourcesOf(harness: string): string {
  const source = harnessSources[harness];
  if (source === undefined) throw new RangeError(`${harness} has no row in sources.ts`);
  const { version } = checkedVersions().find((one) => one.harness === harness) ?? {};
  const what = version === undefined ? '' : ` with version ${version}`;
  return `Last checked on ${source.checked}${what}. ${source.sources}`;
}
