/** Mode of the store. `lag_seconds` is the maximum age of reads. */
export type Availability = { mode: 'ready' } | { mode: 'read_only'; lag_seconds: number };

export type StoreNotice = { at: Date; primary: string } & (
  | { kind: 'read_only_entered'; reason: string }
  | { kind: 'read_only_exited' }
  | { kind: 'primary_changed'; former: string }
  /** Several servers accept writes. Only the primary is used for them. */
  | { kind: 'split_brain'; rivals: readonly string[] }
  | { kind: 'database_lost'; reason: string }
  | { kind: 'database_recovered' }
);

export const SERVER_ROLES = ['primary', 'standby', 'rival', 'unreachable'] as const;

export interface StoreServer {
  /** Location of the server without secrets. */
  name: string;
  role: (typeof SERVER_ROLES)[number];
  lag_seconds: number | null;
  connections: { open: number; idle: number; waiting: number };
}
