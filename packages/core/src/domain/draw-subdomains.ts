import { collapseChains, mayLeadOn } from './collapse-chains.ts';
import { titleOf } from './domain-path.ts';
import { lastSegment, parentPath } from '../text/slash-path.ts';
import type { DomainNode, DomainReader } from './domain-reader.ts';

/** A domain below the requested one. */
export interface SubdomainEntry {
  path: string;
  name: string;
  description: string;
  /** What is below it, as far as the map goes; absent where it ends. */
  subdomains?: SubdomainEntry[];
}

export interface DrawingLimits {
  /** Levels wanted; the first is always drawn. */
  levels: number;
  fold_passthrough_chains: boolean;
  /** What all levels together may cost. */
  bytes: number;
}

export interface Subdomains {
  entries: SubdomainEntry[];
  levels: number;
  bytes: number;
  /** Whether there is a level more, wanted and without room. */
  cut: boolean;
  collapsed: number;
}

/** A domain costs this beside its texts. */
const SUBDOMAIN_BYTES = 16;

/**
 * Draws the domains below the requested one, level by level while there is room. A level that has
 * none is not even read to its end, nor are its chains followed, so that a map costs what its answer
 * does.
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
      all: Math.floor(room / leastBytesBelow(paths)) + 1,
    });
    const level =
      leastBytesOf(children) > room ? undefined : await drawLevel(reader, children, limits);
    if (level === undefined || level.bytes > room) return { ...drawn, cut: true };
    attach(above, level, children);
    drawn.levels += 1;
    drawn.bytes += level.bytes;
    drawn.collapsed += level.collapsed;
    above = level;
  }
  return drawn;
}

/** One level: its domains and their entries, in the same order. */
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

/** Puts a level below the one above it; `children` are its domains before any was collapsed. */
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

/** What a child of any of the paths costs at least: a longer path, a name, and what every entry does. */
function leastBytesBelow(paths: readonly string[]): number {
  const shortest = Math.min(...paths.map((path) => Buffer.byteLength(path)));
  return shortest + '/x'.length + 'x'.length + SUBDOMAIN_BYTES;
}

/** What the domains cost at least, whatever longer chain takes the place of one. */
function leastBytesOf(nodes: readonly DomainNode[]): number {
  return nodes.reduce(
    (sum, node) => sum + (mayLeadOn(node) ? leastBytesBelow([node.path]) : bytesOf(toEntry(node))),
    0,
  );
}
