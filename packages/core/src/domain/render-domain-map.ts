import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { chooseNotable, type NotableEntry } from './choose-notable.ts';
import { resolveDiscovery, type Discovery } from './discovery.ts';
import { titleOf } from './domain-path.ts';
import type { DomainNode, DomainReader } from './domain-reader.ts';
import { drawSubdomains, type SubdomainEntry } from './draw-subdomains.ts';
import type { MergedDomain } from './merge-domains.ts';

export interface DomainMap {
  path: string;
  description: string;
  keywords: string[];
  subdomains: SubdomainEntry[];
  notable: NotableEntry[];
  /** Describes what was left out; absent if the response is complete. */
  note?: string;
}

export interface DomainMapFacts {
  /** Number of direct subdomains, before chains are merged. */
  children: number;
  /** Last subdomain of the page; absent on the last page. */
  last_child?: string;
  depth: number;
  depth_capped: boolean;
  folded_subdomains: number;
  passthrough_collapsed: number;
}

export interface DomainMapRequest {
  /** Path of the domain; empty for the root. */
  path: string;
  /** Depth; if absent or 0, that of the domain applies. */
  depth?: number;
  discovery?: Partial<Discovery>;
  /** Page of subdomains, none of which are folded; absent to draw all. */
  page?: DomainMapPage;
}

export interface DomainMapPage {
  /** Last subdomain of the previous page; empty for the first page. */
  after: string;
  /** Number of subdomains; with 0, notable artifacts are omitted too. */
  limit: number;
}

const BYTES_PER_TOKEN = 4;

export async function renderDomainMap(
  reader: DomainReader,
  request: DomainMapRequest,
): Promise<{ map: DomainMap; facts: DomainMapFacts }> {
  const { path } = request;
  const node = await reader.getNode(path);
  if (node === undefined) throw noSuchDomain(path);
  const domain = await reader.getDomain(path);
  const discovery = resolveDiscovery(request.discovery ?? {}, domain);
  const requestedDepth = request.depth ?? 0;
  const depth =
    requestedDepth > 0 ? Math.min(requestedDepth, discovery.max_depth) : discovery.max_depth;
  const bytes = discovery.target_response_tokens * BYTES_PER_TOKEN;

  const { page } = request;
  const { children, hasMore } = await listPage(reader, path, page);
  const fewerThan = page === undefined ? discovery.fold_below_artifacts : 0;
  const folded = await listFolded(reader, children, fewerThan);
  const listed = children.filter((child) => !folded.has(child.path));
  const query = { path, folded: [...folded] };
  const isFirst = page === undefined || (page.after === '' && page.limit > 0);
  const notableCount = isFirst ? discovery.notable_count : 0;
  const wanted = await chooseNotable(reader, query, domain, notableCount);
  const subdomains = await drawSubdomains(reader, listed, {
    levels: depth,
    fold_passthrough_chains: discovery.fold_passthrough_chains,
    bytes: bytes - costOf(wanted),
  });
  const notable = takeWithinBytes(wanted, bytes - subdomains.bytes);

  const note = describeReductions({
    asked: requestedDepth,
    max_depth: discovery.max_depth,
    notable: [wanted.length, notable.length],
    depth: [depth, subdomains.cut ? subdomains.levels : depth],
  });
  const map: DomainMap = {
    path,
    description: describe(path, domain),
    keywords: domain?.keywords ?? [],
    subdomains: subdomains.entries,
    notable,
    ...(note === '' ? {} : { note }),
  };
  const last = hasMore ? children.at(-1) : undefined;
  const facts: DomainMapFacts = {
    children: children.length,
    ...(last === undefined ? {} : { last_child: last.path }),
    depth: subdomains.levels,
    depth_capped: requestedDepth > discovery.max_depth,
    folded_subdomains: folded.size,
    passthrough_collapsed: subdomains.collapsed,
  };
  return { map, facts };
}

async function listPage(
  reader: DomainReader,
  path: string,
  { after, limit }: DomainMapPage = { after: '', limit: Number.POSITIVE_INFINITY },
): Promise<{ children: DomainNode[]; hasMore: boolean }> {
  if (limit === 0) return { children: [], hasMore: false };
  const read = limit + 1;
  const children = await reader.listChildren([path], { each: read, all: read, after });
  return { children: children.slice(0, limit), hasMore: children.length > limit };
}

async function listFolded(
  reader: DomainReader,
  children: readonly DomainNode[],
  fewerThan: number,
): Promise<ReadonlySet<string>> {
  if (children.length === 0 || fewerThan === 0) return new Set();
  return new Set(
    await reader.listSmall(
      children.map(({ path }) => path),
      fewerThan,
    ),
  );
}

function describe(path: string, domain: MergedDomain | undefined): string {
  const texts = [domain?.body.trim(), domain?.description];
  return texts.find((text) => text !== undefined && text !== '') ?? titleOf(path);
}

function takeWithinBytes(entries: readonly NotableEntry[], bytes: number): NotableEntry[] {
  let count = entries.length;
  while (count > 0 && costOf(entries.slice(0, count)) > bytes) count -= 1;
  return entries.slice(0, count);
}

const NOTABLE_BYTES = 32;

function costOf(entries: readonly NotableEntry[]): number {
  return entries.reduce(
    (sum, { id, type, summary, tags }) =>
      sum + Buffer.byteLength(id + type + summary + tags.join('')) + NOTABLE_BYTES,
    0,
  );
}

interface Reductions {
  asked: number;
  max_depth: number;
  notable: readonly [number, number];
  depth: readonly [number, number];
}

/** Describes what was left out. Folding is intended and not reported. */
function describeReductions({
  asked: requestedDepth,
  max_depth,
  notable,
  depth,
}: Reductions): string {
  const cuts: string[] = [];
  if (notable[0] > notable[1])
    cuts.push(`the notable list from ${notable[0]} to ${notable[1]} entries`);
  if (depth[0] > depth[1]) cuts.push(`the depth from ${depth[0]} to ${depth[1]}`);
  const sentences: string[] = [];
  if (requestedDepth > max_depth)
    sentences.push(`This domain is limited to a depth of ${max_depth}.`);
  if (cuts.length > 0) {
    sentences.push(`Shortened to fit the response: ${cuts.join(' and ')}.`);
  }
  return sentences.join(' ');
}

/** Creates the error for missing, hidden and unlisted domains alike (ERR-38). */
export function noSuchDomain(path: string): CatalogError {
  return new CatalogError('domain.not_found', `Domain not found: ${path}.`, {
    details: { path },
  });
}
