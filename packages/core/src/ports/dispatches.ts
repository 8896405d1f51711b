import type { Tenant } from './tenant.ts';

/** Event of a test by an administrator. It gets one attempt, out of order. */
export const TEST_EVENT = 'webhook.test';

export type DispatchState = 'pending' | 'delivered' | 'failed';

export interface NewDispatch {
  /** Id, which is the same for all attempts. */
  id: string;
  receiver: string;
  event: string;
  cursor: number;
  body: string;
  created_at: string;
  /** Time of the next attempt, or end of the claim. */
  not_before: string;
  worker: string | null;
}

export interface Dispatch extends NewDispatch {
  state: DispatchState;
  attempts: number;
  /** Number that increases with every claim; results of older claims are ignored. */
  fence: number;
  last_attempt: string | null;
  status: number | null;
  duration_ms: number | null;
  response: string | null;
  error: string | null;
}

export function toUnsent(dispatch: NewDispatch): Dispatch {
  return {
    ...dispatch,
    state: 'pending',
    attempts: 0,
    fence: 0,
    last_attempt: null,
    status: null,
    duration_ms: null,
    response: null,
    error: null,
  };
}

/** Result of an attempt, or of a claim without one. */
export type DispatchResult = Pick<
  Dispatch,
  | 'id'
  | 'fence'
  | 'state'
  | 'attempts'
  | 'not_before'
  | 'last_attempt'
  | 'status'
  | 'duration_ms'
  | 'response'
  | 'error'
>;

export interface DispatchClaim {
  now: string;
  until: string;
  worker: string;
  limit: number;
}

export type DispatchPosition = Pick<Dispatch, 'created_at' | 'id'>;

export interface DispatchReads {
  get(tenant: Tenant, receiver: string, id: string): Promise<Dispatch | undefined>;
  /** Lists dispatches, newest first. */
  list(
    tenant: Tenant,
    receiver: string,
    page: { state?: DispatchState; after?: DispatchPosition; limit: number },
  ): Promise<Dispatch[]>;
  /** Counts pending dispatches without tests, and all that are due. */
  countPending(
    tenant: Tenant,
    receiver: string,
    now: string,
  ): Promise<{ pending: number; due: number }>;
  /** Lists enabled receivers with events to dispatch, or with dispatches to send. */
  listDue(now: string): Promise<{ tenant: Tenant; receiver: string }[]>;
  listWorkers(): Promise<string[]>;
  depth(): Promise<{
    pending: number;
    oldest_created_at: string | null;
    disabled_receivers: number;
  }>;
}

/** Writes of dispatches. They have their own locks, so that other changes of the tenant do not delay them. */
export interface DispatchWrites extends DispatchReads {
  /** Moves the cursor and adds dispatches. Returns false if the cursor is no longer at `from`. */
  advance(
    tenant: Tenant,
    receiver: string,
    step: {
      from: number;
      to: number;
      window_end: string | null;
      dispatches: readonly NewDispatch[];
    },
  ): Promise<boolean>;
  add(tenant: Tenant, dispatch: NewDispatch): Promise<void>;
  /** Claims due dispatches, the longest due first. */
  claim(tenant: Tenant, receiver: string, claim: DispatchClaim): Promise<Dispatch[]>;
  /** Claims the dispatch of the oldest event if it is due and unclaimed. Tests do not count. */
  claimOldest(
    tenant: Tenant,
    receiver: string,
    claim: Omit<DispatchClaim, 'limit'>,
  ): Promise<Dispatch | undefined>;
  finish(tenant: Tenant, receiver: string, results: readonly DispatchResult[]): Promise<void>;
  restart(tenant: Tenant, receiver: string, id: string, now: string): Promise<Dispatch | undefined>;
  restartFailed(tenant: Tenant, receiver: string, since: string, now: string): Promise<number>;
  /** Makes dispatches due that a worker claimed but no longer has, and returns their number. */
  endUnheldClaims(
    tenant: Tenant,
    receiver: string,
    claims: { worker: string; held: readonly string[]; now: string },
  ): Promise<number>;
  endClaims(worker: string): Promise<void>;
  prune(tenant: Tenant, before: string, max_deleted: number): Promise<number>;
}
