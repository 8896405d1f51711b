import type { Caller } from '@catalog/core/identity/caller';
import { openMemoryRegistry, type MemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import type { SearchResponse } from '@catalog/contract/records/discovery';
import { searchArtifacts } from './search-artifacts.ts';

const ANYBODY: Caller = { kind: 'anonymous' };
const ADA: Caller = { kind: 'subject', subject: 'ada', groups: [] };

async function openLayers(): Promise<MemoryRegistry> {
  const memory = await openMemoryRegistry();
  onTestFinished(() => memory.close());
  await memory.addLayer('open', { public: true });
  await memory.addLayer('inner', { organization: false, users: ['ada'] });
  return memory;
}

function search(
  { registry, context }: MemoryRegistry,
  caller: Caller,
  query: string,
  as_admin = false,
): Promise<SearchResponse> {
  const nothing = { type: [], tags: [], scope: [], layer: [], harness: '', top_k: 10 };
  return searchArtifacts(registry, { ...context, caller }, { ...nothing, query, as_admin });
}

function rule(description: string): { 'ARTIFACT.md': string } {
  return {
    'ARTIFACT.md': `---\ntype: rule\nversion: 1.0.0\nname: x\nrule_mode: always\ndescription: ${description}\n---\nText.\n`,
  };
}

test('searchArtifacts omits hidden artifacts, which change neither scores nor counts', async () => {
  const memory = await openLayers();
  await memory.ingest('open', {
    packages: { 'a/x': rule('Send an invoice.'), 'b/x': rule('Write an invoice report.') },
  });
  const before = await search(memory, ANYBODY, 'invoice report');
  expect(before.total_matched).toBe(2);
  const secret = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`s${index}/x`, rule('Report an invoice.')]),
  );
  await memory.ingest('inner', { packages: secret });
  expect(await search(memory, ANYBODY, 'invoice report')).toEqual(before);
  expect((await search(memory, ADA, 'invoice report')).total_matched).toBe(32);
  expect((await search(memory, ANYBODY, 'invoice report', true)).total_matched).toBe(32);
});
