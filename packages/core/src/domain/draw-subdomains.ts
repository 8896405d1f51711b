import { collapseChains, mayBePassThrough } from './collapse-chains.ts';
import { titleOf } from './domain-path.ts';
import { lastSegment, parentPath } from '../text/slash-path.ts';
import type { DomainNode, DomainReader } from './domain-reader.ts';

export interface SubdomainEntry {
  path: string;
  name: string;
  description: string;
  subdomains?: SubdomainEntry[];
}

export interface DrawingLimits {
  /** Number of levels to draw; the first is always drawn. */
  levels: number;
  fold_passthrough_chains: boolean;
  bytes: number;
}

export interface Subdomains {
  entries: SubdomainEntry[];
  levels: number;
  bytes: number;
  /** True if the size limit excludes a requested level. */
  cut: boolean;
  collapsed: number;
}

const SUBDOMAIN_BYTES = 16;

/**
 * Draws subdomains level by level. Stops reading at the size limit, so that the cost depends on the size of the
 * response.
 */
export async function drawSubdomains(
  reader: DomainReader,
  listed: readonly DomainNode[],
  limits: DrawingLimits,
): Promise<Subdomains> {
  const first = await drawLevel(reader, listed, limits);
  const drawn: Subdomains = { ...first, levels: 1, cut: false };
  let above = first;
  while (drawn.levels < limits.levels) {
    const parents = above.nodes.filter(({ has_children }) => has_children);
    if (parents.length === 0) break;
    const room = Math.max(0, limits.bytes - drawn.bytes);
    const paths = parents.map(({ path }) => path);
    const children = await reader.listChildren(paths, {
      each: Number.POSITIVE_INFINITY,
      all: Math.floor(room / minBytesBelow(paths)) + 1,
    });
    const level =
      minBytesOf(children) > room ? undefined : await drawLevel(reader, children, limits);
    if (level === undefined || level.bytes > room) return { ...drawn, cut: true };
    attach(above, level, children);
    drawn.levels += 1;
    drawn.bytes += level.bytes;
    drawn.collapsed += level.collapsed;
    above = level;
  }
  return drawn;
}

interface Level {
  nodes: DomainNode[];
  entries: SubdomainEntry[];
  bytes: number;
  collapsed: number;
}

async function drawLevel(
  reader: DomainReader,
  children: readonly DomainNode[],
  limits: DrawingLimits,
): Promise<Level> {
  const { nodes, collapsed } = limits.fold_passthrough_chains
    ? await collapseChains(reader, children)
    : { nodes: [...children], collapsed: 0 };
  const entries = nodes.map(toEntry);
  const bytes = entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
  return { nodes, entries, bytes, collapsed };
}

function attach(above: Level, level: Level, children: readonly DomainNode[]): void {
  const parents = new Map(above.nodes.map(({ path }, index) => [path, above.entries[index]]));
  for (const [index, { path }] of children.entries()) {
    const parent = parents.get(parentPath(path));
    const entry = level.entries[index];
    if (parent === undefined || entry === undefined) continue;
    parent.subdomains ??= [];
    parent.subdomains.push(entry);
  }
}

function toEntry({ path, description }: DomainNode): SubdomainEntry {
  return {
    path,
    name: lastSegment(path),
    description: description === '' ? titleOf(path) : description,
  };
}

function bytesOf({ path, name, description }: SubdomainEntry): number {
  return Buffer.byteLength(path + name + description) + SUBDOMAIN_BYTES;
}

/** Returns the minimum size of one more child: its path, its name, and the fixed size of an entry. */
function minBytesBelow(paths: readonly string[]): number {
  const shortest = Math.min(...paths.map((path) => Buffer.byteLength(path)));
  return shortest + '/x'.length + 'x'.length + SUBDOMAIN_BYTES;
}

/** Returns the minimum size of the domains, even if chains of them are merged. */
function minBytesOf(nodes: readonly DomainNode[]): number {
  return nodes.reduce(
    (sum, node) =>
      sum + (mayBePassThrough(node) ? minBytesBelow([node.path]) : bytesOf(toEntry(node))),
    0,
  );
}
