import type { Tenant } from './tenant.ts';

/** What `latest` meant when a session first asked. */
export interface SessionChoice {
  layer: number;
  version: string;
}

export interface SessionReads {
  get(tenant: Tenant, session_id: string, id: string): Promise<SessionChoice | undefined>;
}

export interface SessionWrites extends SessionReads {
  /** Records the choice unless one is there; answers the one that holds. */
  remember(
    tenant: Tenant,
    session_id: string,
    id: string,
    choice: SessionChoice,
    expires_at: string,
  ): Promise<SessionChoice>;
  /** Forgets what has expired. */
  prune(now: string): Promise<void>;
}
