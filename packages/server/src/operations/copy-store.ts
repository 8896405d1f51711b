import {
  ARCHIVE_TABLES,
  forEachTable,
  type ArchiveRows,
  type ArchiveSink,
  type ArchiveSource,
  type ArchiveTable,
} from '@catalog/core/ports/archive';
import type { Objects } from '@catalog/core/ports/objects';
import { openObjectCopy, type ReuseObject } from './copy-objects.ts';
import type { OperationHooks } from './operation-hooks.ts';

/** A copy between two stores or folders: a backup, a restore or a move. */
export interface Copy {
  source: ArchiveSource;
  source_objects: Pick<Objects, 'open'>;
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
  hooks.signal.throwIfAborted();
  await sink.finish();
  const copied = objects.total();
  return { rows, objects: copied.objects, object_bytes: copied.bytes };
}

/** Creates counts of zero for all tables of a backup. */
export function noRows(): Record<ArchiveTable, number> {
  return forEachTable(() => 0);
}
