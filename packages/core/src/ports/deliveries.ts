import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

/** A delivery under one of the names it is known by. */
export interface Delivered {
  delivery_id: string;
  job: string;
  now: string;
}

/** Inbound deliveries of git hosts, so that one sent twice works once (SPEC-30). */
export interface DeliveryWrites {
  /** The job of an earlier delivery with this id, or undefined when this is the first and is now recorded. */
  record(tenant: Tenant, layer: LayerNumber, delivery: Delivered): Promise<string | undefined>;
  /** Ties a delivery that was recorded before to another job, as if it came now. */
  renew(tenant: Tenant, layer: LayerNumber, delivery: Delivered): Promise<void>;
  /** Forgets deliveries from before a moment, so many at most; answers how many those were. */
  prune(before: string, most: number): Promise<number>;
}
