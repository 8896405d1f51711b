import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { fetchIds, firstById, LAST_ID, type Found } from './by-id.ts';
import { better, type Candidate } from './candidates.ts';
import type { Search } from './rows.ts';

export type NamedCandidate = Candidate & Found;

export function resolveBestIds(
  search: Search,
  candidates: readonly Candidate[],
  limit: number,
): NamedCandidate[] {
  const last = candidates[limit - 1];
  const certain =
    last === undefined ? candidates : candidates.filter((each) => better(each, last) < 0);
  const equal = candidates.slice(certain.length);
  const named = [
    ...nameCandidates(search, certain),
    ...firstEqual(search, equal, limit - certain.length),
  ];
  return named.sort((a, b) => better(a, b) || compareBytes(a.id, b.id));
}

function nameCandidates(
  { connection, tenant, layers }: Search,
  candidates: readonly Candidate[],
): NamedCandidate[] {
  const named: NamedCandidate[] = [];
  for (const [rank, ranked] of Map.groupBy(candidates, (candidate) => candidate.rank)) {
    const byNumber = new Map(ranked.map((candidate) => [candidate.number, candidate]));
    for (const found of fetchIds(connection, tenant, layers[rank] ?? 0, [...byNumber.keys()])) {
      const candidate = byNumber.get(found.number);
      if (candidate !== undefined) named.push({ ...candidate, ...found });
    }
  }
  return named;
}

function firstEqual(
  { connection, tenant, layers, view }: Search,
  equal: readonly Candidate[],
  limit: number,
): NamedCandidate[] {
  const [first] = equal;
  if (first === undefined) return [];
  const numbers = new Set(equal.map(({ number }) => number));
  const layer = layers[first.rank] ?? 0;
  const members = {
    layer,
    count: numbers.size,
    among: view.documents.get(layer) ?? 0,
    has: (number: number) => numbers.has(number),
    list: () => [...numbers],
  };
  const everywhere = { after: '', before: LAST_ID };
  return firstById(connection, tenant, members, everywhere, limit).map((found) => ({
    ...first,
    ...found,
  }));
}
