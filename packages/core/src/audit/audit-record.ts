/** Audit record, flat with dotted keys (SPEC-31). */
export type AuditRecord = Readonly<
  Record<string, string | number | boolean | readonly string[]> & {
    type: string;
    timestamp: string;
    trace_id: string;
    'caller.identity': string;
  }
>;
