import type { MergedDomain } from './merge-domains.ts';

/** A domain. It exists if it or a descendant contains a listed artifact; unlisted subtrees do not count. */
export interface DomainNode {
  /** Path of the domain; empty for the root. */
  path: string;
  /** One-line description; empty if no visible layer has one. */
  description: string;
  /** True if a layer adds a body, keywords, or an import with a match. */
  curated: boolean;
  has_artifacts: boolean;
  has_children: boolean;
}

export interface DomainCounts {
  path: string;
  artifact_count: number;
  recursive_count: number;
}

export interface DomainMember {
  id: string;
  type: string;
  version: string;
  description: string;
  tags: readonly string[];
  /**
   * Domain that the artifact is a member of: the requested one, or else the one that contains it, or else the first
   * that imports it.
   */
  domain: string;
}

export interface MemberQuery {
  /** Domain whose own and imported artifacts are selected. */
  path: string;
  /** Subdomains whose artifacts are selected too, with all descendants. */
  folded: readonly string[];
}

export interface ChildLimits {
  each: number;
  all: number;
  after?: string;
}

/** Reads the domains of a view. The cost of a query depends on the size of its result. */
export interface DomainReader {
  /** Returns a domain; undefined if it does not exist or is unlisted. */
  getNode(path: string): Promise<DomainNode | undefined>;
  /** Returns the merged `DOMAIN.md` of the visible layers; undefined if no layer has one. */
  getDomain(path: string): Promise<MergedDomain | undefined>;
  /** Lists the direct subdomains of each path in byte order. */
  listChildren(paths: readonly string[], limits: ChildLimits): Promise<DomainNode[]>;
  /** Counts artifacts per path. Omits missing and unlisted paths. */
  countArtifacts(paths: readonly string[]): Promise<DomainCounts[]>;
  /**
   * Lists domains with fewer artifacts than a limit. Each artifact counts once, including imported ones and those of
   * descendants.
   */
  listSmall(paths: readonly string[], fewer_than: number): Promise<string[]>;
  /** Lists up to `limit` members after `after`, most loads first, then by id. Each id appears once. */
  listMembers(
    query: MemberQuery,
    after: Pick<DomainMember, 'id'> | undefined,
    limit: number,
  ): Promise<DomainMember[]>;
  /** Returns those of the given ids that are members, in any order. */
  getMembers(query: MemberQuery, ids: readonly string[]): Promise<DomainMember[]>;
  /** Lists the tags of up to `limit` artifacts of a domain and its descendants, by domain and id. */
  listTags(path: string, limit: number): Promise<(readonly string[])[]>;
}
