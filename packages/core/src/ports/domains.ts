import type { DomainReader } from '../domain/domain-reader.ts';
import type { Domain } from '../domain/read-domain.ts';
import type { SearchedTerm } from './search-index.ts';
import type { LayerStack } from './versions.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

export interface DomainRecord {
  path: string;
  text: string;
}

/** An empty scope has no effect. */
export interface DomainQuery {
  query: string;
  /** Path of the domain to search, including its descendants. */
  scope: string;
  top_k: number;
}

export interface DomainHit {
  path: string;
  /** With statistics of the files of the given layers only; 0 without a query. */
  score: number;
}

export interface DomainSearchResult {
  /** Best first; ties by path. */
  hits: DomainHit[];
  terms: readonly SearchedTerm[];
  /** Upper bound of the score for this query (SPEC-52); 0 without words. */
  bound: number;
  total_matched: number;
}

export interface DomainDescription {
  path: string;
  name: string;
  description: string;
  keywords: readonly string[];
}

export interface DomainReads {
  /** Counts come from counters that writes maintain. */
  openReader(tenant: Tenant, layers: LayerStack): DomainReader;
  /** Returns the content of each path that has a `DOMAIN.md`. */
  readTexts(
    tenant: Tenant,
    layer: LayerNumber,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  listPaths(tenant: Tenant, layer: LayerNumber): Promise<string[]>;
  /**
   * Finds domains by words, or lists all by path without a query. Excludes unlisted domains and domains
   * without a description.
   */
  search(tenant: Tenant, layers: LayerStack, query: DomainQuery): Promise<DomainSearchResult>;
  /** Excludes domains that a search never finds: unlisted ones and ones without a description. */
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
  /** Rebuilds the search terms of all domains of a layer; all other data stays. */
  renewDomains(tenant: Tenant, layer: LayerNumber): Promise<void>;
  /**
   * Updates counts and resolved imports. `added` are ids whose heads are new or may have changed;
   * `removed` are ids whose heads are about to be removed. Idempotent.
   */
  countHeads(
    tenant: Tenant,
    layer: LayerNumber,
    change: { added: readonly string[]; removed: readonly string[] },
  ): Promise<void>;
}
