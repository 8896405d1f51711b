/** Whether a store takes writes. In read-only mode, how old at most what it answers is. */
export type Availability = { mode: 'ready' } | { mode: 'read_only'; lag_seconds: number };

/** Something that happened to the servers behind a store: for the log, the audit and measurements. */
export type StoreNotice = { at: Date; primary: string } & (
  | { kind: 'read_only_entered'; reason: string }
  | { kind: 'read_only_exited' }
  /** Another server takes the writes now. */
  | { kind: 'primary_changed'; former: string }
  /** Several servers take writes; those beside the primary are not written to. */
  | { kind: 'split_brain'; rivals: readonly string[] }
  /** No server responds, so nothing can be read either. */
  | { kind: 'database_lost'; reason: string }
  /** A server responds again. */
  | { kind: 'database_recovered' }
);

/** What the last probe can find a server to be. */
export const SERVER_ROLES = ['primary', 'standby', 'rival', 'unreachable'] as const;

/** A server behind a store, as measurements show it. */
export interface StoreServer {
  /** Where it is, without anything secret. */
  name: string;
  role: (typeof SERVER_ROLES)[number];
  /** How old what it has is; null where that is not the question. */
  lag_seconds: number | null;
  /** Connections that are open and idle, and callers that wait for one. */
  connections: { open: number; idle: number; waiting: number };
}
