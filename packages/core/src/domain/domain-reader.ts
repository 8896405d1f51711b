import type { MergedDomain } from './merge-domains.ts';

/**
 * A domain of a caller's view, with what its drawing depends on. It is there when something listed is
 * in it or below it; unlisted subtrees count nowhere.
 */
export interface DomainNode {
  /** Empty for the root. */
  path: string;
  /** In one line; empty where no visible layer gives one. */
  description: string;
  /** Whether somebody made something of it: a text, keywords, an import that finds something. */
  curated: boolean;
  /** Whether an artifact lies directly in it. */
  has_artifacts: boolean;
  /** Whether there is a domain below it. */
  has_children: boolean;
}

/** How many different artifacts a listed domain holds; a count asks every layer that has some there. */
export interface DomainCounts {
  path: string;
  /** Directly in it. */
  artifact_count: number;
  /** In it and below it. */
  recursive_count: number;
}

/** An artifact as a domain shows it. */
export interface DomainMember {
  id: string;
  type: string;
  version: string;
  description: string;
  tags: readonly string[];
  /**
   * The domain it is a member of: the one asked for, else the one it lies in, else the first in byte
   * order that imports it.
   */
  domain: string;
}

/** The members a drawing may choose its notable ones from. */
export interface MemberQuery {
  /** What lies directly in this domain or is imported by it; */
  path: string;
  /** and everything that belongs to these domains below it, or to domains below them. */
  folded: readonly string[];
}

/** How many children a list may hold. */
export interface ChildLimits {
  /** Of one path. */
  each: number;
  /** In all. */
  all: number;
  /** The path of a child: only those after it are listed. */
  after?: string;
}

/**
 * All that drawing a domain reads. A registry answers from tables that every write keeps up to date:
 * no answer takes longer because the catalogue is larger, only because the answer is.
 */
export interface DomainReader {
  /** Undefined when nothing is there, or when it or a domain above it is unlisted. */
  getNode(path: string): Promise<DomainNode | undefined>;
  /** What the visible layers say of a listed domain; undefined where none has a `DOMAIN.md`. */
  getDomain(path: string): Promise<MergedDomain | undefined>;
  /** The listed domains directly below the paths, each path's in byte order. */
  listChildren(paths: readonly string[], limits: ChildLimits): Promise<DomainNode[]>;
  /** Counts of those of the paths that are there and listed, in the order of the paths. */
  countArtifacts(paths: readonly string[]): Promise<DomainCounts[]>;
  /**
   * Those of the listed domains that have fewer members than this. A member is in the domain, below
   * it, or imported by it or by a domain below it; each counts once.
   */
  listSmall(paths: readonly string[], fewer_than: number): Promise<string[]>;
  /**
   * Members, each id once: the most loaded first, equals by id in byte order; the first `limit` of
   * them after `after`.
   */
  listMembers(
    query: MemberQuery,
    after: Pick<DomainMember, 'id'> | undefined,
    limit: number,
  ): Promise<DomainMember[]>;
  /** Which of these ids are members, in any order. */
  getMembers(query: MemberQuery, ids: readonly string[]): Promise<DomainMember[]>;
  /** The tags of each artifact in a domain and below it: the first `limit`, by domain, then by id. */
  listTags(path: string, limit: number): Promise<(readonly string[])[]>;
}
