import type { DomainReader } from '../domain/domain-reader.ts';
import type { Domain } from '../domain/read-domain.ts';
import type { SearchedTerm } from './search-index.ts';
import type { LayerStack } from './versions.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

/** What one layer says of one domain, as it was authored. */
export interface DomainRecord {
  path: string;
  /** `DOMAIN.md`, whole. */
  text: string;
}

/** What is asked; an empty scope asks nothing. */
export interface DomainQuery {
  query: string;
  /** A path; the domain itself or one below it. */
  scope: string;
  top_k: number;
}

/** A domain that was found. */
export interface DomainHit {
  path: string;
  /** BM25, with statistics of the `DOMAIN.md` files of the given layers only; 0 without a query. */
  score: number;
}

export interface DomainAnswer {
  /** Best first; ties by path. */
  hits: DomainHit[];
  /** What the query became. */
  terms: readonly SearchedTerm[];
  /** The score no domain can reach with this query (SPEC-52); 0 without words. */
  bound: number;
  total_matched: number;
}

/** What the layers of a view say of a domain together. */
export interface DomainDescription {
  path: string;
  name: string;
  description: string;
  keywords: readonly string[];
}

export interface DomainReads {
  /** The map of the composed view: counts come from what the writes keep. */
  openReader(tenant: Tenant, layers: LayerStack): DomainReader;
  /** The stored text of each path of a layer that has a `DOMAIN.md`. */
  readTexts(
    tenant: Tenant,
    layer: LayerNumber,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Paths of every `DOMAIN.md` of a layer. */
  listPaths(tenant: Tenant, layer: LayerNumber): Promise<string[]>;
  /**
   * Finds the best domains of the view by the words of a query, or lists all of them by path if the
   * query is empty. Unlisted domains, and those whose authors say nothing of them, are never found.
   */
  search(tenant: Tenant, layers: LayerStack, query: DomainQuery): Promise<DomainAnswer>;
  /**
   * What results show of domains, in no particular order. Those a search does not find, whatever it
   * asks, are left out: unlisted ones, and ones of which nothing is said.
   */
  describe(
    tenant: Tenant,
    layers: LayerStack,
    paths: readonly string[],
  ): Promise<DomainDescription[]>;
}

export interface DomainWrites extends DomainReads {
  putDomains(
    tenant: Tenant,
    layer: LayerNumber,
    domains: readonly (DomainRecord & { domain: Domain })[],
  ): Promise<void>;
  removeDomains(tenant: Tenant, layer: LayerNumber, paths: readonly string[]): Promise<void>;
  /** Makes the terms of everything a layer says of domains anew; what else is kept of it stays. */
  renewDomains(tenant: Tenant, layer: LayerNumber): Promise<void>;
  /**
   * Keeps counts and resolved imports. `added` are ids whose heads were just put: new ones, and ones
   * whose columns may have changed; `removed` are ids whose heads are about to go. Telling twice
   * changes nothing.
   */
  countHeads(
    tenant: Tenant,
    layer: LayerNumber,
    change: { added: readonly string[]; removed: readonly string[] },
  ): Promise<void>;
}
