import { goldenDifferences, type GoldenFile } from '@catalog/testkit/golden-tree';
import { renderFixtureMarketplace } from '@catalog/testkit/marketplace-fixture';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adapters } from '../registry.ts';
import { findFormats } from './find-format.ts';

/** One harness per format; others with the same format render the same files. */
const importers = new Map(
  [...adapters.keys(), 'agent-plugins'].flatMap((harness) =>
    findFormats([harness]).formats.map(({ format }) => [format.id, harness] as const),
  ),
);

test.each([...importers])('%s renders the golden tree', (format, harness) => {
  const { plan } = renderFixtureMarketplace([harness]);
  const tree = new Map<string, GoldenFile>();
  for (const { path, bytes, executable } of plan.files) {
    if (path.endsWith('.json')) tree.set(path, { bytes, executable });
  }
  const paths = plan.files.map(({ path, executable }) => `${path}${executable ? ' (x)' : ''}`);
  const reasons = (all: { artifact_id: string; reason: string }[]): string[] =>
    all.map(({ artifact_id, reason }) => `${artifact_id}: ${reason}`);
  const notes =
    describePart('files', paths) +
    describePart('left out', reasons([...plan.unsupported, ...plan.left_out])) +
    describePart('otherwise than authored', reasons(plan.fallbacks));
  tree.set('PLAN.txt', { bytes: new TextEncoder().encode(notes), executable: false });
  const folder = join(import.meta.dirname, 'golden', format);
  expect(goldenDifferences(folder, tree)).toEqual([]);
});

function describePart(title: string, lines: readonly string[]): string {
  return `${title}: ${lines.length}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
