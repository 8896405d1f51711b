import type { Tenant } from './tenant.ts';

/** Audit record, flat with dotted keys (SPEC-31). */
export type AuditRecord = Readonly<
  Record<string, string | number | boolean | readonly string[]> & {
    type: string;
    timestamp: string;
    trace_id: string;
    'caller.identity': string;
  }
>;

export interface NumberedRecord {
  position: number;
  record: AuditRecord;
}

export interface AuditReads {
  list(tenant: Tenant, after: number, limit: number): Promise<NumberedRecord[]>;
  /** Lists records before a position, newest first; all if it is undefined. */
  listNewest(tenant: Tenant, before: number | undefined, limit: number): Promise<NumberedRecord[]>;
}

export interface AuditWrites extends AuditReads {
  /** Appends records. Call it in the transaction of the recorded change. */
  append(tenant: Tenant, records: readonly AuditRecord[]): Promise<void>;
}
