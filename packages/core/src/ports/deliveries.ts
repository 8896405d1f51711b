import type { Tenant } from './tenant.ts';

/** Inbound deliveries of git hosts, so that one sent twice works once (decision 30). */
export interface DeliveryWrites {
  /** The job of an earlier delivery with this id, or undefined when this is the first and is now recorded. */
  record(
    tenant: Tenant,
    layer: number,
    delivery: { delivery_id: string; job: string; now: string },
  ): Promise<string | undefined>;
  /** Forgets deliveries from before a moment, so many at most; answers how many those were. */
  prune(before: string, most: number): Promise<number>;
}
