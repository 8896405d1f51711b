import type { StoreNotice } from '@catalog/core/ports/availability';
import type { Standing } from './directory/decide-standing.ts';
import type { ProbeResult } from './pool/probe.ts';

type Untimed<Notice> = Notice extends StoreNotice ? Omit<Notice, 'at'> : never;

/** Lists the changes between two probes, in the order of notification. */
export function listChanges(
  before: Standing,
  after: Standing,
  servers: readonly { name: string; look: ProbeResult }[],
): Untimed<StoreNotice>[] {
  const nameOf = (place: number): string => servers[place]?.name ?? '';
  const primary = nameOf(after.primary);
  const reason = reasonOf(servers[before.primary]?.look);
  const changes: Untimed<StoreNotice>[] = [];
  if (after.responds !== before.responds) {
    changes.push(
      after.responds
        ? { kind: 'database_recovered', primary }
        : { kind: 'database_lost', primary, reason },
    );
  }
  if (after.rivals.length > 0 && before.rivals.length === 0) {
    changes.push({ kind: 'split_brain', primary, rivals: after.rivals.map(nameOf) });
  }
  if (after.primary !== before.primary) {
    changes.push({ kind: 'primary_changed', primary, former: nameOf(before.primary) });
  }
  if (after.mode === before.mode) return changes;
  if (after.mode === 'ready') return [...changes, { kind: 'read_only_exited', primary }];
  return [...changes, { kind: 'read_only_entered', primary, reason }];
}

function reasonOf(look: ProbeResult | undefined): string {
  if (look?.kind !== 'gone') return 'It no longer accepts writes.';
  return look.error instanceof Error ? look.error.message : String(look.error);
}
