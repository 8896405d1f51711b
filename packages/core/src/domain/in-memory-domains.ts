import { compareBytes } from '../artifact/compare-bytes.ts';
import type { Artifact, ArtifactFields } from '../artifact/types.ts';
import { compileGlobs } from '../glob/glob.ts';
import { ancestorPaths } from './domain-path.ts';
import { parentPath } from '../text/slash-path.ts';
import type {
  DomainCounts,
  DomainMember,
  DomainNode,
  DomainReader,
  MemberQuery,
} from './domain-reader.ts';
import { mergeDomains, hasContent, type MergedDomain } from './merge-domains.ts';
import type { Domain } from './read-domain.ts';

export interface MappedArtifact extends Pick<Artifact, 'id' | 'type' | 'version' | 'description'> {
  fields: Pick<ArtifactFields, 'tags' | 'deprecated' | 'search_visibility'>;
}

export interface DomainView {
  artifacts: readonly MappedArtifact[];
  /** Domains, lowest precedence first. */
  domains: readonly Domain[];
  /** Number of loads by id; absent if usage is not counted. */
  usage?: ReadonlyMap<string, number>;
}

interface Gathered {
  path: string;
  domain: MergedDomain | undefined;
  /** Listed subdomains by path, in byte order. */
  children: Gathered[];
  direct: DomainMember[];
  imported: DomainMember[];
}

export function readDomainsInMemory(view: DomainView): DomainReader {
  const gathered = gather(view);
  const loads = (id: string): number => view.usage?.get(id) ?? 0;
  const byUse = (a: DomainMember, b: DomainMember): number =>
    loads(b.id) - loads(a.id) || compareBytes(a.id, b.id);
  const subtree = (path: string): Gathered[] => {
    const entry = gathered.get(path);
    return entry === undefined ? [] : subtreeOf(entry);
  };

  function membersOf({ path, folded }: MemberQuery): DomainMember[] {
    const own = gathered.get(path);
    const below = folded.flatMap(subtree).sort((a, b) => compareBytes(a.path, b.path));
    return uniqueById([
      ...(own?.direct ?? []),
      ...(own?.imported ?? []),
      ...below.flatMap(({ direct }) => direct),
      ...below.flatMap(({ imported }) => imported),
    ]).sort(byUse);
  }

  function isSmall(path: string, fewerThan: number): boolean {
    const members = subtree(path).flatMap(({ direct, imported }) => [...direct, ...imported]);
    return uniqueById(members).length < fewerThan;
  }

  return {
    getNode: async (path) => toNode(gathered.get(path)),
    getDomain: async (path) => gathered.get(path)?.domain,
    listChildren: async (paths, { each, all, after = '' }) =>
      paths
        .flatMap((path) => listAfter(gathered.get(path)?.children ?? [], after).slice(0, each))
        .slice(0, all)
        .flatMap((child) => toNode(child) ?? []),
    countArtifacts: async (paths) => paths.flatMap((path) => toCounts(gathered.get(path)) ?? []),
    listSmall: async (paths, fewerThan) => paths.filter((path) => isSmall(path, fewerThan)),
    listMembers: async (query, after, limit) => {
      const members = membersOf(query);
      const start = after === undefined ? 0 : members.findIndex(({ id }) => id === after.id) + 1;
      return members.slice(start, start + limit);
    },
    getMembers: async (query, ids) => membersOf(query).filter(({ id }) => ids.includes(id)),
    listTags: async (path, limit) =>
      subtree(path)
        .sort((a, b) => compareBytes(a.path, b.path))
        .flatMap(({ direct }) => direct.toSorted((a, b) => compareBytes(a.id, b.id)))
        .slice(0, limit)
        .map(({ tags }) => tags),
  };
}

function listAfter(children: readonly Gathered[], after: string): Gathered[] {
  return children.filter(({ path }) => compareBytes(path, after) > 0);
}

function gather({ artifacts, domains }: DomainView): ReadonlyMap<string, Gathered> {
  const members = artifacts.filter(isOnMap).map(toMember);
  const direct = Map.groupBy(members, ({ domain }) => domain);
  const described = mergeAll(domains);
  const gathered = new Map<string, Gathered>();
  for (const path of listedPaths([...direct.keys(), ...described.keys()], described)) {
    const domain = described.get(path);
    gathered.set(path, {
      path,
      domain,
      children: [],
      direct: direct.get(path) ?? [],
      imported: importsOf(domain, members),
    });
  }
  for (const [path, entry] of gathered) {
    if (path !== '') gathered.get(parentPath(path))?.children.push(entry);
  }
  return gathered;
}

/** Returns false for deprecated artifacts and those found only by id, which domains do not list. */
function isOnMap({ fields }: MappedArtifact): boolean {
  return fields.deprecated !== true && fields.search_visibility !== 'direct-only';
}

function toMember({ id, type, version, description, fields }: MappedArtifact): DomainMember {
  return { id, type, version, description, tags: fields.tags ?? [], domain: parentPath(id) };
}

function mergeAll(domains: readonly Domain[]): ReadonlyMap<string, MergedDomain> {
  const files = Map.groupBy(domains, ({ path }) => path);
  return new Map([...files].map(([path, layers]) => [path, mergeDomains(path, layers)]));
}

/** Returns the root, all listed paths and their ancestors, in byte order. */
function listedPaths(
  paths: readonly string[],
  described: ReadonlyMap<string, MergedDomain>,
): string[] {
  const isUnlisted = (path: string): boolean => described.get(path)?.unlisted === true;
  const listed = paths
    .map((path) => [path, ...ancestorPaths(path)])
    .filter((chain) => !chain.some(isUnlisted));
  return [...new Set(['', ...listed.flat()])].sort(compareBytes);
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

function toNode(entry: Gathered | undefined): DomainNode | undefined {
  if (entry === undefined) return undefined;
  const { path, domain, children, direct, imported } = entry;
  return {
    path,
    description: domain?.description ?? '',
    curated: (domain !== undefined && hasContent(domain)) || imported.length > 0,
    has_artifacts: direct.length > 0,
    has_children: children.length > 0,
  };
}

function toCounts(entry: Gathered | undefined): DomainCounts | undefined {
  if (entry === undefined) return undefined;
  return {
    path: entry.path,
    artifact_count: entry.direct.length,
    recursive_count: subtreeOf(entry).reduce((sum, below) => sum + below.direct.length, 0),
  };
}

function subtreeOf(entry: Gathered): Gathered[] {
  return [entry, ...entry.children.flatMap(subtreeOf)];
}

function uniqueById(members: readonly DomainMember[]): DomainMember[] {
  const unique = new Map<string, DomainMember>();
  for (const member of members) if (!unique.has(member.id)) unique.set(member.id, member);
  return [...unique.values()];
}
