import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Tenant } from '@catalog/core/ports/tenant';

const RETRY_AFTER_SECONDS = 30;

/** Limits of concurrent streams; 0 disables one. */
export interface StreamLimits {
  per_user: number;
  per_address: number;
  total: number;
}

export type StreamHolder =
  | { kind: 'user'; tenant: Tenant; subject: string }
  | { kind: 'address'; address: string };

export class StreamPlaces {
  readonly #limits: StreamLimits;
  readonly #open = new Map<string, number>();
  #total = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** Reserves a place for a stream. Returns a function that releases it, and throws at a limit. */
  take(holder: StreamHolder): () => void {
    const { per_user, per_address, total } = this.#limits;
    const key = keyOf(holder);
    const current = this.#open.get(key) ?? 0;
    requireCapacity(holder.kind, current, holder.kind === 'user' ? per_user : per_address);
    requireCapacity('process', this.#total, total);
    this.#open.set(key, current + 1);
    this.#total += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#total -= 1;
      const left = (this.#open.get(key) ?? 1) - 1;
      if (left === 0) this.#open.delete(key);
      else this.#open.set(key, left);
    };
  }
}

function keyOf(holder: StreamHolder): string {
  return holder.kind === 'user' ? `${holder.tenant} ${holder.subject}` : holder.address;
}

const HOLDERS = {
  user: 'The caller has',
  address: 'Callers without an identity at this client address have',
  process: 'This process has',
};

function requireCapacity(holder: keyof typeof HOLDERS, current: number, limit: number): void {
  if (limit === 0 || current < limit) return;
  throw new CatalogError(
    'quota.event_streams_exceeded',
    `${HOLDERS[holder]} ${current} open event streams${holder === 'process' ? '' : ' on this process'}, which is the limit.`,
    { details: { limit, current, retry_after_seconds: RETRY_AFTER_SECONDS } },
  );
}
