import type { StoreNotice } from '@catalog/core/ports/availability';
import { recordStoreNotices } from '../registry/audit/record-store-notices.ts';
import type { Registry } from '../registry/registry.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Maximum number of notices that wait for the audit log; all of them are in the log. */
const MAX_WAITING = 1000;

const MESSAGES = {
  read_only_entered: 'the primary database is unavailable: the registry is read-only',
  read_only_exited: 'the primary database has recovered: the registry accepts writes again',
  primary_changed: 'another database server is now the primary',
  split_brain: 'several database servers accept writes; the registry writes only to the primary',
  database_lost: 'no database server responds: the registry is not ready',
  database_recovered: 'a database server responds again',
} as const satisfies Record<StoreNotice['kind'], string>;

const RECOVERIES: ReadonlySet<StoreNotice['kind']> = new Set([
  'read_only_exited',
  'database_recovered',
]);

/** Logs and counts changes of the store immediately, and audits them when the store can be written. */
export function observeStore(
  registry: Registry,
  process_name: string,
  log: Log,
  metrics: Metrics,
): { close(): Promise<void> } {
  const { store } = registry;
  let waiting: StoreNotice[] = [];
  let writing: Promise<void> | undefined;

  function note(notice: StoreNotice): void {
    const { kind, at: _, ...facts } = notice;
    log[RECOVERIES.has(kind) ? 'info' : 'warn'](facts, MESSAGES[kind]);
    if (kind === 'read_only_entered') metrics.observeMode('read_only');
    if (kind === 'read_only_exited') metrics.observeMode('ready');
    waiting = [...waiting, notice].slice(-MAX_WAITING);
    write();
  }

  function write(): void {
    if (waiting.length === 0 || store.availability().mode !== 'ready') return;
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
  }

  async function writeAll(): Promise<void> {
    const notices = waiting;
    try {
      await recordStoreNotices(registry, process_name, notices);
      waiting = waiting.filter((notice) => !notices.includes(notice));
    } catch (error) {
      // The next commit of any process triggers a retry.
      log.warn({ error }, 'failed to record a database state change in the audit log; will retry');
    }
  }

  const stops = [store.onNotice(note), store.onCommit(write)];
  if (store.availability().mode === 'read_only') {
    const [server] = store.servers();
    const primary = server?.name ?? '';
    const reason = 'It was unavailable when the registry started.';
    note({ kind: 'read_only_entered', at: registry.now(), primary, reason });
  }
  return {
    async close() {
      for (const stop of stops) stop();
      await writing;
    },
  };
}
