import type { DomainReader } from '../domain/domain-reader.ts';
import type { Domain } from '../domain/read-domain.ts';
import type { LayerStack } from './versions.ts';
import type { Tenant } from './tenant.ts';

/** What one layer says of one domain, as it was authored. */
export interface DomainRecord {
  path: string;
  /** `DOMAIN.md`, whole. */
  text: string;
}

/** A domain with something to be found by. */
export interface DomainHit {
  path: string;
  name: string;
  description: string;
  keywords: readonly string[];
  score: number;
}

export interface DomainReads {
  /** The map of the composed view: counts come from what the writes keep. */
  openReader(tenant: Tenant, layers: LayerStack): DomainReader;
  /** The stored text of each path of a layer that has a `DOMAIN.md`. */
  readTexts(
    tenant: Tenant,
    layer: number,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Paths of every `DOMAIN.md` of a layer. */
  listPaths(tenant: Tenant, layer: number): Promise<string[]>;
  search(
    tenant: Tenant,
    layers: LayerStack,
    query: { query: string; scope: string; top_k: number },
  ): Promise<{ hits: DomainHit[]; total_matched: number }>;
}

export interface DomainWrites extends DomainReads {
  putDomains(
    tenant: Tenant,
    layer: number,
    domains: readonly (DomainRecord & { domain: Domain })[],
  ): Promise<void>;
  removeDomains(tenant: Tenant, layer: number, paths: readonly string[]): Promise<void>;
  /**
   * Keeps counts and resolved imports. `added` are ids whose heads were just put: new ones, and ones
   * whose columns may have changed; `removed` are ids whose heads are about to go. Telling twice
   * changes nothing.
   */
  countHeads(
    tenant: Tenant,
    layer: number,
    change: { added: readonly string[]; removed: readonly string[] },
  ): Promise<void>;
}
