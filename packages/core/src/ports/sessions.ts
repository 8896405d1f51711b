import type { Tenant } from './tenant.ts';

/** What `latest` meant when a session first asked. */
export interface SessionChoice {
  layer: number;
  version: string;
}

export interface SessionReads {
  /** What has expired by `now` is no answer, whether it was forgotten yet or not. */
  get(
    tenant: Tenant,
    session_id: string,
    id: string,
    now: string,
  ): Promise<SessionChoice | undefined>;
}

export interface SessionWrites extends SessionReads {
  /** Records the choice unless one is there that has not expired; answers the one that holds. */
  remember(
    tenant: Tenant,
    session_id: string,
    id: string,
    choice: SessionChoice,
    lasts: { now: string; expires_at: string },
  ): Promise<SessionChoice>;
  /** Forgets what has expired, so many at most; answers how many those were. */
  prune(now: string, most: number): Promise<number>;
}
