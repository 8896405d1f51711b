import type { Tenant } from './tenant.ts';

/** Event that an administrator sends to test a receiver. It gets one attempt, out of order. */
export const TEST_EVENT = 'webhook.test';

export type DispatchState = 'pending' | 'delivered' | 'failed';

/** What is sent to a receiver: an event, a batch of events, or a notice. */
export interface NewDispatch {
  /** Stays the same in every attempt. */
  id: string;
  receiver: string;
  event: string;
  /** Sequence of the newest event in it. */
  cursor: number;
  body: string;
  created_at: string;
  /** When the next attempt is due; for a claimed dispatch, when the claim ends. */
  not_before: string;
  /** Who claimed it; null if nobody did. */
  worker: string | null;
}

/** A dispatch and its last attempt. */
export interface Dispatch extends NewDispatch {
  state: DispatchState;
  attempts: number;
  /** Rises with every claim; the outcome of an older claim is ignored. */
  fence: number;
  last_attempt: string | null;
  status: number | null;
  duration_ms: number | null;
  response: string | null;
  error: string | null;
}

/** Returns a new dispatch as it is stored, before any attempt and any further claim. */
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

/** How an attempt ended, or that a claim is given back without one. */
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

/** Where a page of dispatches begins: after the last one of the page before. */
export type DispatchPosition = Pick<Dispatch, 'created_at' | 'id'>;

export interface DispatchReads {
  get(tenant: Tenant, receiver: string, id: string): Promise<Dispatch | undefined>;
  /** Newest first. */
  list(
    tenant: Tenant,
    receiver: string,
    page: { state?: DispatchState; after?: DispatchPosition; limit: number },
  ): Promise<Dispatch[]>;
  /** Counts the pending dispatches other than tests, and all pending ones that are due. */
  countPending(
    tenant: Tenant,
    receiver: string,
    now: string,
  ): Promise<{ pending: number; due: number }>;
  /** Enabled receivers of all active tenants that have events to dispatch or dispatches to send. */
  listDue(now: string): Promise<{ tenant: Tenant; receiver: string }[]>;
  /** Workers with claimed dispatches. */
  listWorkers(): Promise<string[]>;
  /** Numbers of all tenants, for metrics. */
  depth(): Promise<{
    pending: number;
    oldest_created_at: string | null;
    disabled_receivers: number;
  }>;
}

/** Dispatches lock themselves: other changes to the tenant do not delay them. */
export interface DispatchWrites extends DispatchReads {
  /**
   * Moves the cursor of a receiver over events and adds the dispatches that come of them. Returns false, and
   * adds nothing, if the cursor is not at `from` any more.
   */
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
  /** Claims the pending dispatch of the oldest event, if it is due and not claimed. Tests hold no event back. */
  claimOldest(
    tenant: Tenant,
    receiver: string,
    claim: Omit<DispatchClaim, 'limit'>,
  ): Promise<Dispatch | undefined>;
  /** Ends claims with their results. */
  finish(tenant: Tenant, receiver: string, results: readonly DispatchResult[]): Promise<void>;
  /** Lets a dispatch begin anew, whatever its state; returns undefined if it does not exist. */
  restart(tenant: Tenant, receiver: string, id: string, now: string): Promise<Dispatch | undefined>;
  /** Restarts failed dispatches that were created at or after a time; returns how many. */
  restartFailed(tenant: Tenant, receiver: string, since: string, now: string): Promise<number>;
  /** Makes those dispatches of a receiver due that a worker claimed and does not hold; returns how many. */
  endUnheldClaims(
    tenant: Tenant,
    receiver: string,
    claims: { worker: string; held: readonly string[]; now: string },
  ): Promise<number>;
  /** Makes the claimed dispatches of a worker due. */
  endClaims(worker: string): Promise<void>;
  /** Removes ended dispatches that were created before a time, at most so many; returns how many. */
  prune(tenant: Tenant, before: string, most: number): Promise<number>;
}
