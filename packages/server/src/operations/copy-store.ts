import {
  ARCHIVE_TABLES,
  forEachTable,
  type ArchiveRows,
  type ArchiveSink,
  type ArchiveSource,
  type ArchiveTable,
} from '@catalog/core/ports/archive';
import type { AuditObjects } from '@catalog/core/ports/audit-objects';
import type { Objects } from '@catalog/core/ports/objects';
import { openObjectCopy, type ReuseObject } from './copy-objects.ts';
import type { OperationHooks } from './operation-hooks.ts';

/** A copy between two stores or folders: a backup, a restore or a move. */
export interface Copy {
  source: ArchiveSource;
  source_objects: Pick<Objects, 'open'> & SourceCheckpoints;
  sink: ArchiveSink;
  sink_objects: Objects;
  reuse?: ReuseObject | undefined;
}

/** Number of rows, objects and bytes that a copy wrote. */
export interface CopyReport {
  rows: Readonly<Record<ArchiveTable, number>>;
  objects: number;
  object_bytes: number;
}

/** Copies all rows, table by table. Each object is copied before the first version that refers to it. */
export async function copyStore(
  { source, source_objects, sink, sink_objects, reuse }: Copy,
  hooks: OperationHooks,
): Promise<CopyReport> {
  const objects = openObjectCopy(source_objects, sink_objects, reuse);
  const rows = noRows();

  async function copyTable<Table extends ArchiveTable>(
    table: Table,
    before: (page: readonly ArchiveRows[Table][]) => Promise<void>,
  ): Promise<void> {
    for await (const page of source.read(table)) {
      hooks.signal.throwIfAborted();
      await before(page);
      await sink.write(table, page);
      rows[table] += page.length;
      hooks.report({ step: table, done: rows[table] });
    }
  }

  for (const table of ARCHIVE_TABLES) {
    if (table === 'versions') {
      await copyTable(table, (versions) => objects.copy(versions, hooks.signal));
    } else {
      await copyTable(table, async () => undefined);
    }
  }
  await copyCheckpoints(source_objects, sink_objects, hooks);
  hooks.signal.throwIfAborted();
  await sink.finish();
  const copied = objects.total();
  return { rows, objects: copied.objects, object_bytes: copied.bytes };
}

interface SourceCheckpoints {
  audit: Pick<AuditObjects, 'read' | 'list'>;
}

const NAMES_AT_ONCE = 1000;

/** Keeps existing checkpoints, because a resumed copy has copied some. */
async function copyCheckpoints(
  source: SourceCheckpoints,
  sink: Pick<Objects, 'audit'>,
  hooks: OperationHooks,
): Promise<void> {
  let after = '';
  let done = 0;
  for (;;) {
    const names = await source.audit.list({ after, limit: NAMES_AT_ONCE }, hooks.signal);
    for (const name of names) {
      hooks.signal.throwIfAborted();
      const bytes = await source.audit.read(name, hooks.signal);
      if (bytes !== undefined) await sink.audit.create(name, bytes, hooks.signal);
      done += 1;
    }
    hooks.report({ step: 'audit_checkpoints', done });
    after = names.at(-1) ?? after;
    if (names.length < NAMES_AT_ONCE) return;
  }
}

/** Creates counts of zero for all tables of a backup. */
export function noRows(): Record<ArchiveTable, number> {
  return forEachTable(() => 0);
}
