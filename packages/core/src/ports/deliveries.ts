import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

export interface Delivered {
  delivery_id: string;
  job: string;
  now: string;
}

/** Webhook deliveries received from git hosts (SPEC-30). */
export interface DeliveryWrites {
  /** Records the delivery, or returns the job of an earlier one with this id. */
  record(tenant: Tenant, layer: LayerNumber, delivery: Delivered): Promise<string | undefined>;
  /** Assigns a recorded delivery to another job, as if it had just arrived. */
  renew(tenant: Tenant, layer: LayerNumber, delivery: Delivered): Promise<void>;
  prune(before: string, max_deleted: number): Promise<number>;
}
