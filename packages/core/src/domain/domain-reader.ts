import type { MergedDomain } from './merge-domains.ts';

/** A domain of a caller's view, with what its drawing depends on. Unlisted subtrees count nowhere. */
export interface DomainNode {
  /** Empty for the root. */
  path: string;
  /** What the visible layers say of it; undefined where none has a `DOMAIN.md`. */
  domain: MergedDomain | undefined;
  /** Artifacts directly in it. */
  artifact_count: number;
  /** Domains directly below it. */
  child_count: number;
  /** Different artifacts in it, below it, and imported by it or by a domain below it. */
  member_count: number;
  /** Artifacts its own `include` finds. */
  import_count: number;
}

/** An artifact as a domain shows it. */
export interface DomainMember {
  id: string;
  type: string;
  version: string;
  description: string;
  tags: readonly string[];
  /** The domain it is a member of: the one it lies in, or the one that imports it. */
  domain: string;
}

/** The members a drawing may choose its notable ones from. */
export interface MemberQuery {
  /** What lies directly in this domain or is imported by it; */
  path: string;
  /** and everything that belongs to these domains below it. */
  folded: readonly string[];
}

/**
 * All that drawing a domain reads. A registry answers from tables that every write keeps up to date:
 * no answer takes longer because the catalogue is larger, only because the answer is.
 */
export interface DomainReader {
  /** Undefined when nothing is there, or when it or a domain above it is unlisted. */
  getNode(path: string): Promise<DomainNode | undefined>;
  /** The listed domains directly below the paths, each path's in byte order; at most `limit` in all. */
  listChildren(paths: readonly string[], limit: number): Promise<DomainNode[]>;
  /**
   * Members, each id once: the most loaded first, equals by id in byte order; the first `limit` of
   * them after `after`.
   */
  listMembers(
    query: MemberQuery,
    after: DomainMember | undefined,
    limit: number,
  ): Promise<DomainMember[]>;
  /** Which of these ids are members, in any order. */
  getMembers(query: MemberQuery, ids: readonly string[]): Promise<DomainMember[]>;
}
