import type { Tenant } from '@catalog/core/ports/tenant';
import { OWNER_PROBLEMS } from '../registry/object-store/owner-problems.ts';

export type FindingKind =
  | 'bytes-missing'
  | 'bytes-differ'
  | 'content-hash-differs'
  | 'authored-hash-differs'
  | 'ledger-missing'
  | 'ledger-differs'
  | 'layer-missing'
  | 'tenant-missing'
  | 'member-missing'
  | 'head-differs'
  | 'head-without-version'
  | 'series-behind'
  | 'count-differs'
  | 'restore-pending'
  | 'object-store-foreign'
  | 'object-store-unclaimed';

export interface Finding {
  kind: FindingKind;
  tenant: Tenant;
  /** Affected `layer/id@version`, layer, series or tenant. */
  subject: string;
  message: string;
}

const MAX_LISTED = 1000;

export interface Findings {
  add(finding: Finding): void;
  list(): readonly Finding[];
  count(): number;
}

export function openFindings(): Findings {
  const listed: Finding[] = [];
  let count = 0;
  return {
    add(finding) {
      count += 1;
      if (listed.length < MAX_LISTED) listed.push(finding);
    },
    list: () => listed,
    count: () => count,
  };
}

export const ADVICE: Readonly<Record<FindingKind, string>> = {
  'bytes-missing':
    'Restore the content: copy the object from a backup, where it has the same name.',
  'bytes-differ':
    'Remove the object and copy it from a backup, where it has the same name. Then check the disk.',
  'content-hash-differs': 'Another program changed the rows. Restore a backup.',
  'authored-hash-differs': 'Another program changed the rows. Restore a backup.',
  'ledger-missing': 'Another program changed the rows. Restore a backup.',
  'ledger-differs': 'Another program changed the rows. Restore a backup.',
  'layer-missing': 'Another program changed the rows. Restore a backup.',
  'tenant-missing': 'Another program changed the rows. Restore a backup.',
  'member-missing': 'Push the group again from the directory.',
  'head-differs': 'Create a backup and restore it into an empty store, which rebuilds the heads.',
  'head-without-version':
    'Create a backup and restore it into an empty store, which rebuilds the heads.',
  'series-behind': 'Numbers could be assigned twice. Restore a backup before the next ingest.',
  'count-differs': 'Create a backup and restore it into an empty store, which rebuilds the counts.',
  'restore-pending': 'Run the restore again; it resumes.',
  'object-store-foreign': OWNER_PROBLEMS.foreign.suggested_action,
  'object-store-unclaimed': OWNER_PROBLEMS.unclaimed.suggested_action,
};
