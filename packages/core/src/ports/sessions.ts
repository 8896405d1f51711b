import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

/** Key of a session in a tenant. Two callers may choose the same `session_id`. */
export interface SessionKey {
  /** Subject; empty for a caller without one. */
  subject: string;
  session_id: string;
}

/** Version that `latest` means in a session, from the first request on. */
export interface SessionChoice {
  layer: LayerNumber;
  version: string;
}

/** Maximum number of choices without a subject per tenant, because any client can start sessions. */
export const MAX_ANONYMOUS_CHOICES = 10_000;

/** Maximum number of choices per subject, which can start any number of sessions. */
export const MAX_SUBJECT_CHOICES = 2000;
/** Number of choices that remain after the maximum is exceeded, so that removals are rare. */
export const KEPT_SUBJECT_CHOICES = 1500;

export interface SessionReads {
  /** Returns a choice; undefined if it has expired by `now`. */
  get(
    tenant: Tenant,
    session: SessionKey,
    id: string,
    now: string,
  ): Promise<SessionChoice | undefined>;
}

export interface SessionWrites extends SessionReads {
  /**
   * Stores a choice unless an unexpired one exists, and returns the valid one. Above `MAX_ANONYMOUS_CHOICES`, the
   * oldest choice without a subject is removed; above `MAX_SUBJECT_CHOICES`, the choices of the subject that expire
   * first.
   */
  remember(
    tenant: Tenant,
    session: SessionKey,
    id: string,
    choice: SessionChoice,
    lasts: { now: string; expires_at: string },
  ): Promise<SessionChoice>;
  prune(now: string, max_deleted: number): Promise<number>;
}
