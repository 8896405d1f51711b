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

/** Query for domains; an empty scope means all. */
export interface DomainQuery {
  query: string;
  /** Domain to search, with its descendants. */
  scope: string;
  top_k: number;
}

export interface DomainHit {
  path: string;
  /** Score, from the files of the given layers only; 0 without a query. */
  score: number;
}

export interface DomainSearchResult {
  /** Results, best first; ties by path. */
  hits: DomainHit[];
  terms: readonly SearchedTerm[];
  /** Maximum possible score of the query (SPEC-52); 0 without words. */
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
  /** Opens a reader of domains. Its counts come from counters that writes maintain. */
  openReader(tenant: Tenant, layers: LayerStack): DomainReader;
  /** Returns the content of each path that has a `DOMAIN.md`. */
  readTexts(
    tenant: Tenant,
    layer: LayerNumber,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  listPaths(tenant: Tenant, layer: LayerNumber): Promise<string[]>;
  /**
   * Searches domains by words, or lists all by path without a query. Unlisted domains and those without a description
   * are omitted.
   */
  search(tenant: Tenant, layers: LayerStack, query: DomainQuery): Promise<DomainSearchResult>;
  /** Describes domains, without those that a search never finds. */
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
  /** Rebuilds the search terms of all domains of a layer. */
  renewDomains(tenant: Tenant, layer: LayerNumber): Promise<void>;
  /**
   * Updates counts and imports. `added` are ids with new or changed heads; heads of `removed` are about to be deleted.
   * Calling it twice has no further effect.
   */
  countHeads(
    tenant: Tenant,
    layer: LayerNumber,
    change: { added: readonly string[]; removed: readonly string[] },
  ): Promise<void>;
}
