import { isWithin, parentPath } from '@catalog/core/text/slash-path';
import type { ArchiveRows } from '@catalog/core/ports/archive';
import type { StoreReads } from '@catalog/core/ports/store';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import { isFound } from '../registry/ingest/put-versions.ts';
import type { Findings } from './verify-findings.ts';

export interface LayerTally {
  tenant: Tenant;
  number: LayerNumber;
  id: string;
  unlisted: string[];
  heads: number;
  /** Number of heads that searches return. */
  found: number;
  /** Number of heads that the domains count. */
  mapped: number;
}

export function tallyOf(tenant: Tenant, number: LayerNumber, id: string): LayerTally {
  return { tenant, number, id, unlisted: [], heads: 0, found: 0, mapped: 0 };
}

export function countHead(tally: LayerTally, version: ArchiveRows['versions']): void {
  tally.heads += 1;
  if (!isFound(version)) return;
  tally.found += 1;
  const domain = parentPath(version.id);
  if (!tally.unlisted.some((path) => isWithin(domain, path))) tally.mapped += 1;
}

export async function checkLayerCounts(
  reads: StoreReads,
  tally: LayerTally,
  findings: Findings,
): Promise<void> {
  const { tenant, number, id } = tally;
  const walked = await walkHeads(reads, tenant, number);
  if (walked !== tally.heads) {
    const message = `${walked} heads are served, but only ${tally.heads} are versions of the layer.`;
    findings.add({ kind: 'head-without-version', tenant, subject: id, message });
  }
  const { artifact_count } = await reads.versions.countView(tenant, [number]);
  const { total_matched } = await reads.search.search(tenant, [number], EVERYTHING);
  const [root] = await reads.domains.openReader(tenant, [number]).countArtifacts(['']);
  for (const [name, counter, counted] of [
    ['artifacts', artifact_count, walked],
    ['search documents', total_matched, tally.found],
    ['artifacts on the domain map', root?.recursive_count ?? 0, tally.mapped],
  ] as const) {
    if (counter === counted) continue;
    const message = `The counter of ${name} is ${counter}, but the actual number is ${counted}.`;
    findings.add({ kind: 'count-differs', tenant, subject: id, message });
  }
}

/** Compares the counters of all layers together, because layers may share ids. */
export async function checkViewCounts(
  reads: StoreReads,
  tenant: Tenant,
  layers: LayerStack,
  findings: Findings,
): Promise<void> {
  const counted = new Map<string, number>();
  for (let after = ''; ;) {
    const page = await reads.versions.listView(tenant, layers, { prefix: '', after, limit: 1000 });
    for (const { type } of page) counted.set(type, (counted.get(type) ?? 0) + 1);
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  const { by_type } = await reads.versions.countView(tenant, layers);
  for (const type of new Set([...counted.keys(), ...Object.keys(by_type)])) {
    const counter = by_type[type] ?? 0;
    const there = counted.get(type) ?? 0;
    if (counter === there) continue;
    const message = `The counter of composed artifacts of type ${type} is ${counter}, but the actual number is ${there}.`;
    findings.add({ kind: 'count-differs', tenant, subject: 'all layers', message });
  }
}

const EVERYTHING = { query: '', type: '', tags: [], scope: '', top_k: 1 };

async function walkHeads(reads: StoreReads, tenant: Tenant, layer: LayerNumber): Promise<number> {
  let count = 0;
  for (let after = ''; ;) {
    const page = await reads.versions.listHeadIds(tenant, layer, after, 1000);
    count += page.length;
    const last = page.at(-1);
    if (last === undefined) return count;
    after = last.id;
  }
}
