import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Tenant } from '@catalog/core/ports/tenant';

/** Time after which a place may be free again. */
const RETRY_AFTER_SECONDS = 30;

/** Maximum numbers of open event streams of a process; 0 disables a limit. */
export interface StreamLimits {
  per_user: number;
  /** For callers without an identity. */
  per_address: number;
  /** For all callers together. */
  total: number;
}

/** The user of a stream, or the client address of a caller without an identity. */
export type StreamHolder =
  | { kind: 'user'; tenant: Tenant; subject: string }
  | { kind: 'address'; address: string };

/** Counts the open event streams in this process, by user or client address. */
export class StreamPlaces {
  readonly #limits: StreamLimits;
  readonly #open = new Map<string, number>();
  #total = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** Takes a place; the returned function gives it back. Throws if the holder or the process has none left. */
  take(holder: StreamHolder): () => void {
    const { per_user, per_address, total } = this.#limits;
    const key = keyOf(holder);
    const current = this.#open.get(key) ?? 0;
    requirePlace(holder.kind, current, holder.kind === 'user' ? per_user : per_address);
    requirePlace('process', this.#total, total);
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

function requirePlace(holder: keyof typeof HOLDERS, current: number, limit: number): void {
  if (limit === 0 || current < limit) return;
  throw new CatalogError(
    'quota.event_streams_exceeded',
    `${HOLDERS[holder]} ${current} open event streams${holder === 'process' ? '' : ' on this process'}, which is the limit.`,
    { details: { limit, current, retry_after_seconds: RETRY_AFTER_SECONDS } },
  );
}
