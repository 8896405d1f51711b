import type { Tenant } from '@catalog/core/ports/tenant';

/** Advice for each kind of finding. */
export const AUDIT_ADVICE = {
  record_changed:
    'The record differs from the one that was signed. Restore the database from a backup, and treat it as compromised.',
  record_missing:
    'The record was removed. Restore the database from a backup, and treat it as compromised.',
  hash_changed:
    'The stored hash of the record was changed, but not the record. Treat the database as compromised.',
  values_changed:
    'Personal values of the record do not match its commitments. Treat the database as compromised.',
  history_changed:
    'The records before this one differ from those that it commits to. Restore the database from a backup.',
  tree_differs: 'The stored tree does not match the records. Treat the database as compromised.',
  tree_replaced:
    'The log has another tree than the signed one. If you restored the database, run catalog audit reopen.',
  forked: 'Find out which process signed the second checkpoint, and treat the key as compromised.',
  checkpoint_missing: 'Restore the object from a backup of the object store.',
  checkpoint_damaged: 'Restore the object from a backup of the object store.',
  signature_invalid: 'Check that you use the public key of this registry.',
} as const;

export type AuditFindingKind = keyof typeof AUDIT_ADVICE;

export interface AuditFinding {
  tenant: Tenant;
  /** Position of the record, or 0 if it is about the tree or the checkpoints. */
  position: number;
  kind: AuditFindingKind;
  message: string;
}

const MAX_LISTED = 100;

/** Collects the first findings and counts all. */
export interface AuditFindings {
  add(finding: AuditFinding): void;
  list(): AuditFinding[];
  count(): number;
}

export function openAuditFindings(): AuditFindings {
  const listed: AuditFinding[] = [];
  let count = 0;
  return {
    add(finding) {
      count += 1;
      if (listed.length < MAX_LISTED) listed.push(finding);
    },
    list: () => listed.toSorted((a, b) => a.tenant - b.tenant || a.position - b.position),
    count: () => count,
  };
}
