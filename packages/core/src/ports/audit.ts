import type { Tenant } from './tenant.ts';

/** One audit record: flat, with dotted keys (SPEC-31). */
export type AuditRecord = Readonly<
  Record<string, string | number | boolean | readonly string[]> & {
    type: string;
    timestamp: string;
    trace_id: string;
    'caller.identity': string;
  }
>;

/** A record with its number in the log of its tenant. */
export interface NumberedRecord {
  position: number;
  record: AuditRecord;
}

export interface AuditReads {
  /** Records after a position, oldest first. */
  list(tenant: Tenant, after: number, limit: number): Promise<NumberedRecord[]>;
  /** Records before a position, newest first; from the end if the position is undefined. */
  listNewest(tenant: Tenant, before: number | undefined, limit: number): Promise<NumberedRecord[]>;
}

export interface AuditWrites extends AuditReads {
  /** In the transaction of the fact it records. */
  append(tenant: Tenant, records: readonly AuditRecord[]): Promise<void>;
}
