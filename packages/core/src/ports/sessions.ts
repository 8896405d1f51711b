import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

/** Callers choose `session_id`, so two of them may choose the same. */
export interface SessionKey {
  /** Empty for a caller without a subject: anonymous, or on a registry without authentication. */
  subject: string;
  session_id: string;
}

/** Version that `latest` resolved to when a session first requested the artifact. */
export interface SessionChoice {
  layer: LayerNumber;
  version: string;
}

/** Per tenant for sessions without a subject, which any client can start. */
export const MAX_ANONYMOUS_CHOICES = 10_000;

/** Maximum number of choices per subject, which can start any number of sessions. */
export const MAX_SUBJECT_CHOICES = 2000;
/**
 * Number of choices left after the maximum is exceeded, so that not every further choice removes
 * another.
 */
export const KEPT_SUBJECT_CHOICES = 1500;

export interface SessionReads {
  /** Returns undefined for a choice that has expired by `now`, even before it is pruned. */
  get(
    tenant: Tenant,
    session: SessionKey,
    id: string,
    now: string,
  ): Promise<SessionChoice | undefined>;
}

export interface SessionWrites extends SessionReads {
  /**
   * Records the choice unless an unexpired one exists; returns the valid one. Beyond
   * `MAX_ANONYMOUS_CHOICES`, removes the oldest choice of a session without a subject. Beyond
   * `MAX_SUBJECT_CHOICES`, removes the choices of the subject that expire first.
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
