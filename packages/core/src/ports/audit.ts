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

export interface AuditReads {
  /** Records after a position, oldest first. */
  list(
    tenant: Tenant,
    after: number,
    limit: number,
  ): Promise<{ position: number; record: AuditRecord }[]>;
}

export interface AuditWrites extends AuditReads {
  /** In the transaction of the fact it records. */
  append(tenant: Tenant, records: readonly AuditRecord[]): Promise<void>;
}
