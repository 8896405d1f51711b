import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

/** A session of one caller: callers choose `session_id`, so two of them may choose the same. */
export interface SessionKey {
  /** Empty for a caller without one: anonymous, or on a registry that authenticates no caller. */
  subject: string;
  session_id: string;
}

/** What `latest` meant when a session first asked. */
export interface SessionChoice {
  layer: LayerNumber;
  version: string;
}

/** Choices a tenant keeps for sessions without a subject, which any client can start. */
export const MAX_ANONYMOUS_CHOICES = 10_000;

/** Choices kept for one subject, which can start any number of sessions. */
export const MAX_SUBJECT_CHOICES = 2000;
/** Choices left when that is exceeded, so that not every further choice drops another. */
export const KEPT_SUBJECT_CHOICES = 1500;

export interface SessionReads {
  /** What has expired by `now` is no answer, whether it was forgotten yet or not. */
  get(
    tenant: Tenant,
    session: SessionKey,
    id: string,
    now: string,
  ): Promise<SessionChoice | undefined>;
}

export interface SessionWrites extends SessionReads {
  /**
   * Records the choice unless one is there that has not expired; answers the one that holds. Past
   * `MAX_ANONYMOUS_CHOICES` the oldest choice of a session without a subject is dropped. Past
   * `MAX_SUBJECT_CHOICES` the choices of the subject that expire first are dropped.
   */
  remember(
    tenant: Tenant,
    session: SessionKey,
    id: string,
    choice: SessionChoice,
    lasts: { now: string; expires_at: string },
  ): Promise<SessionChoice>;
  /** Forgets what has expired, so many at most; answers how many those were. */
  prune(now: string, most: number): Promise<number>;
}
