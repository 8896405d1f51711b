import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';
import type { LayerStack } from './versions.ts';

/** Use of a version on one day, without identities. */
export interface UsageCount {
  layer: LayerNumber;
  id: string;
  version: string;
  /** Day in UTC, such as `2026-01-02`. */
  day: string;
  /** Single loads, of agents and readers. */
  loads: number;
  /** Loads in a batch, of `catalog sync`. */
  syncs: number;
}

/** Loads and syncs of an artifact within `POPULAR_DAYS`. */
export interface PopularArtifact {
  layer: LayerNumber;
  id: string;
  uses: number;
}

/** Place in the list of popular artifacts. */
export interface PopularPlace {
  uses: number;
  id: string;
}

/** Days that count towards popularity. */
export const POPULAR_DAYS = 30;

export interface ArtifactUsageReads {
  /** Lists the days on which versions of an id were used, newest day first, since a day. */
  listDays(
    tenant: Tenant,
    layers: LayerStack,
    id: string,
    since: string,
    limit: number,
  ): Promise<UsageCount[]>;
  /**
   * Lists up to `limit` artifacts of each layer after a place, most used first, ties by
   * descending id. An id may appear once per layer.
   */
  listPopular(
    tenant: Tenant,
    layers: LayerStack,
    page: { after: PopularPlace | undefined; limit: number },
  ): Promise<PopularArtifact[]>;
  listUsedLayers(tenant: Tenant): Promise<LayerNumber[]>;
}

/** Runs without the tenant's lock, so that an ingest does not delay counts. */
export interface ArtifactUsageWrites extends ArtifactUsageReads {
  add(tenant: Tenant, counts: readonly UsageCount[]): Promise<void>;
  /** Recomputes the popularity of a layer's artifacts from the counts since a day. */
  refreshPopular(tenant: Tenant, layer: LayerNumber, since: string): Promise<void>;
  /** Deletes counts from before a day. Returns how many were deleted. */
  prune(tenant: Tenant, before: string, max_deleted: number): Promise<number>;
}
