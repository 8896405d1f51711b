import type { MergedDomain } from './merge-domains.ts';

/** Exists if it or a descendant contains a listed artifact. Unlisted subtrees never count. */
export interface DomainNode {
  /** Empty for the root. */
  path: string;
  /** One line; empty if no visible layer has a description. */
  description: string;
  /** True if a layer adds a body, keywords, or an import that matches something. */
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
   * Domain that the artifact is a member of: the requested one, else the one that contains it, else
   * the first in byte order that imports it.
   */
  domain: string;
}

export interface MemberQuery {
  /** Includes artifacts directly in this domain or imported by it. */
  path: string;
  /** Also includes artifacts of these subdomains and their descendants. */
  folded: readonly string[];
}

export interface ChildLimits {
  each: number;
  all: number;
  after?: string;
}

/** The time of a query depends on the size of its result, not of the catalog. */
export interface DomainReader {
  /** Undefined if the domain does not exist, or if it or an ancestor is unlisted. */
  getNode(path: string): Promise<DomainNode | undefined>;
  /** Merged `DOMAIN.md` of the visible layers for a listed domain; undefined if no layer has one. */
  getDomain(path: string): Promise<MergedDomain | undefined>;
  /** Lists the direct subdomains of the paths, those of each path in byte order. */
  listChildren(paths: readonly string[], limits: ChildLimits): Promise<DomainNode[]>;
  /** Skips missing and unlisted paths; keeps the order of the others. */
  countArtifacts(paths: readonly string[]): Promise<DomainCounts[]>;
  /** Counts each member once, including those of descendants and imported ones. */
  listSmall(paths: readonly string[], fewer_than: number): Promise<string[]>;
  /** Lists up to `limit` members after `after`, each id once: by load, then by id in byte order. */
  listMembers(
    query: MemberQuery,
    after: Pick<DomainMember, 'id'> | undefined,
    limit: number,
  ): Promise<DomainMember[]>;
  /** Returns the given ids that are members, in any order. */
  getMembers(query: MemberQuery, ids: readonly string[]): Promise<DomainMember[]>;
  /**
   * Lists the tags of up to `limit` artifacts in a domain and its descendants, by domain, then by
   * id.
   */
  listTags(path: string, limit: number): Promise<(readonly string[])[]>;
}
