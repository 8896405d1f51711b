import { compareBytes } from '../artifact/compare-bytes.ts';
import type { Artifact } from '../artifact/types.ts';
import { compileGlobs } from '../glob/glob.ts';
import { ancestorPaths } from './domain-path.ts';
import { parentPath } from '../text/slash-path.ts';
import type { DomainMember, DomainNode, DomainReader, MemberQuery } from './domain-reader.ts';
import { mergeDomains, type MergedDomain } from './merge-domains.ts';
import type { Domain } from './read-domain.ts';

/** A caller's view, all of it at hand. */
export interface DomainView {
  /** One for every id, as the effective view has them. */
  artifacts: readonly Artifact[];
  /** Of the visible layers, lowest precedence first. */
  domains: readonly Domain[];
  /** Loads by id; absent where nobody counts. */
  usage?: ReadonlyMap<string, number>;
}

/** A domain with everything that belongs to it, gathered once. */
interface Gathered {
  node: DomainNode;
  /** By path in byte order, unlisted ones left out. */
  children: Gathered[];
  /** Directly in it or imported by it. */
  own: DomainMember[];
}

/** Reads domains from a view that is in memory: a folder, an overlay, a test. */
export function readDomainsInMemory(view: DomainView): DomainReader {
  const gathered = gather(view);
  const loads = (id: string): number => view.usage?.get(id) ?? 0;
  const byUse = (a: DomainMember, b: DomainMember): number =>
    loads(b.id) - loads(a.id) || compareBytes(a.id, b.id);

  function membersOf({ path, folded }: MemberQuery): DomainMember[] {
    const below = folded.flatMap((child) => allMembers(gathered.get(child)));
    return uniqueById([...(gathered.get(path)?.own ?? []), ...below]).sort(byUse);
  }

  return {
    getNode: async (path) => gathered.get(path)?.node,
    listChildren: async (paths, limit) =>
      paths
        .flatMap((path) => gathered.get(path)?.children ?? [])
        .map(({ node }) => node)
        .slice(0, limit),
    listMembers: async (query, after, limit) => {
      const members = membersOf(query);
      const start = after === undefined ? 0 : members.findIndex(({ id }) => id === after.id) + 1;
      return members.slice(start, start + limit);
    },
    getMembers: async (query, ids) => membersOf(query).filter(({ id }) => ids.includes(id)),
  };
}

function gather({ artifacts, domains }: DomainView): ReadonlyMap<string, Gathered> {
  const members = artifacts.filter(isOnMap).map(toMember);
  const direct = Map.groupBy(members, ({ domain }) => domain);
  const described = mergeAll(domains);
  const gathered = new Map<string, Gathered>();
  for (const path of listedPaths([...direct.keys(), ...described.keys()], described)) {
    const domain = described.get(path);
    const mine = direct.get(path) ?? [];
    const imported = importsOf(domain, members);
    const node: DomainNode = {
      path,
      domain,
      artifact_count: mine.length,
      child_count: 0,
      member_count: 0,
      import_count: imported.length,
    };
    gathered.set(path, { node, children: [], own: uniqueById([...mine, ...imported]) });
  }
  for (const [path, entry] of gathered) {
    if (path !== '') gathered.get(parentPath(path))?.children.push(entry);
  }
  for (const entry of gathered.values()) {
    entry.node.child_count = entry.children.length;
    entry.node.member_count = allMembers(entry).length;
  }
  return gathered;
}

/** As in search: what is deprecated or found by its id alone is not shown around. */
function isOnMap({ fields }: Artifact): boolean {
  return fields.deprecated !== true && fields.search_visibility !== 'direct-only';
}

function toMember({ id, type, version, description, fields }: Artifact): DomainMember {
  return { id, type, version, description, tags: fields.tags ?? [], domain: parentPath(id) };
}

function mergeAll(domains: readonly Domain[]): ReadonlyMap<string, MergedDomain> {
  const files = Map.groupBy(domains, ({ path }) => path);
  return new Map([...files].map(([path, layers]) => [path, mergeDomains(path, layers)]));
}

/** The root, the paths and all above them, in byte order; without what is unlisted or below that. */
function listedPaths(
  paths: readonly string[],
  described: ReadonlyMap<string, MergedDomain>,
): string[] {
  const all = new Set(['', ...paths.flatMap((path) => [path, ...ancestorPaths(path)])]);
  const isUnlisted = (path: string): boolean => described.get(path)?.unlisted === true;
  return [...all]
    .filter((path) => ![path, ...ancestorPaths(path)].some(isUnlisted))
    .sort(compareBytes);
}

function importsOf(
  domain: MergedDomain | undefined,
  members: readonly DomainMember[],
): DomainMember[] {
  if (domain === undefined || domain.include.length === 0) return [];
  const isIncluded = compileGlobs(domain.include, 'domain');
  const isExcluded = compileGlobs(domain.exclude, 'domain');
  return members
    .filter(({ id }) => isIncluded(id) && !isExcluded(id))
    .map((member) => ({ ...member, domain: domain.path }));
}

function allMembers(entry: Gathered | undefined): DomainMember[] {
  if (entry === undefined) return [];
  return uniqueById([...entry.own, ...entry.children.flatMap(allMembers)]);
}

/** The first of each id. */
function uniqueById(members: readonly DomainMember[]): DomainMember[] {
  const unique = new Map<string, DomainMember>();
  for (const member of members) if (!unique.has(member.id)) unique.set(member.id, member);
  return [...unique.values()];
}
