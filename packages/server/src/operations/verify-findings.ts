/** What can be wrong with a store. */
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
  | 'restore-pending';

/** One thing that does not hold. */
export interface Finding {
  kind: FindingKind;
  tenant: number;
  /** What it is about: `layer/id@version`, a layer, a series, or a tenant. */
  subject: string;
  message: string;
}

/** Those listed; what comes after is counted. */
const MOST_LISTED = 1000;

/** Gathers findings: all are counted, the first are kept. */
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
      if (listed.length < MOST_LISTED) listed.push(finding);
    },
    list: () => listed,
    count: () => count,
  };
}

/** What to do about each kind. */
export const ADVICE: Readonly<Record<FindingKind, string>> = {
  'bytes-missing':
    'Bring the bytes back: copy the object from a backup, where it lies under the same name.',
  'bytes-differ':
    'Remove the object and copy it from a backup, where it lies under the same name; then look at the disk.',
  'content-hash-differs': 'The rows were changed by something else. Restore a backup.',
  'authored-hash-differs': 'The rows were changed by something else. Restore a backup.',
  'ledger-missing': 'The rows were changed by something else. Restore a backup.',
  'ledger-differs': 'The rows were changed by something else. Restore a backup.',
  'layer-missing': 'The rows were changed by something else. Restore a backup.',
  'tenant-missing': 'The rows were changed by something else. Restore a backup.',
  'member-missing': 'Let the directory push the group again.',
  'head-differs': 'Make a backup and restore it into an empty store: heads are made anew.',
  'head-without-version': 'Make a backup and restore it into an empty store: heads are made anew.',
  'series-behind': 'Numbers could be given twice. Restore a backup before anything is ingested.',
  'count-differs': 'Make a backup and restore it into an empty store: counts are made anew.',
  'restore-pending': 'Run the restore again; it goes on where it stopped.',
};
