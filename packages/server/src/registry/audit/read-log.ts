import type { Caller } from '@catalog/core/identity/caller';
import type { UsageCount } from '@catalog/core/ports/artifact-usage';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { ReadRecord, ReadType } from '@catalog/core/ports/read-log';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { AuditedVersion } from './audited-version.ts';
import { identityOf } from './identity-of.ts';

export interface ReadLogOptions {
  reads: 'all' | 'sensitive' | 'none';
  queries: boolean;
  counts: boolean;
  public_mode: boolean;
  redactQuery: (query: string) => string;
  now: () => Date;
}

/** A read before it has a commitment. */
export type PendingRead = Omit<ReadRecord, 'salt' | 'commitment'>;

/** Reads of a tenant since the last batch. */
export interface ReadBatch {
  tenant: Tenant;
  records: PendingRead[];
  counts: UsageCount[];
}

/** Reads that a process could not keep. */
export interface LostReads {
  count: number;
  since: string;
}

/** Collects reads in memory, so that no request waits for their storage. */
export interface ReadLog {
  noteVersion(
    context: ReadContext,
    resolved: ReadVersion,
    version: AuditedVersion,
    use: 'loads' | 'syncs',
  ): void;
  noteManifest(context: ReadContext): void;
  noteSearch(context: ReadContext, query: string): void;
  /** Recorded with every setting, because a refused request reads nothing. */
  noteRefusal(context: ReadContext, operation: string): void;
  /** Starts a new minute if it is time. */
  roll(): void;
  /** Removes and returns everything collected. */
  take(): ReadBatch[];
  /** Returns a batch that was not stored. */
  restore(batch: ReadBatch): void;
  takeLost(): LostReads | undefined;
  /** Number of reads and uses that this process has lost. */
  countLost(): number;
  /** Calls the listener when a batch is full. */
  onFull(listener: () => void): void;
  /** Number of records and counts in memory. */
  size(): number;
}

export interface ReadContext {
  tenant: Tenant;
  caller: Caller;
}

/** Version that a request resolved to. */
interface ReadVersion {
  layer: { number: LayerNumber };
  id: string;
  version: string;
}

/** Records of a batch that does not wait for its second. */
const BATCH_SIZE = 1000;
/** Records, and counts, that a process holds while the database is unavailable. */
export const MAX_HELD = 10_000;
/** Keys that a process remembers to record each read once per minute. */
const MAX_SEEN = 100_000;

interface SubjectReads {
  caller_kind: string;
  /** Reads of the current minute. */
  seen: Set<string>;
}

interface TenantReads {
  subjects: Map<string, SubjectReads>;
  records: PendingRead[];
  /** Counts of the current day. */
  counts: Map<string, UsageCount>;
  /** Counts of earlier days, and of batches that were not stored. */
  earlier: UsageCount[];
}

export function createReadLog(options: ReadLogOptions): ReadLog {
  const { reads, queries, counts, public_mode, redactQuery, now } = options;
  const tenants = new Map<Tenant, TenantReads>();
  let minute = startOfMinute(now());
  let held = 0;
  let counted = 0;
  let seen = 0;
  let lost: LostReads | undefined;
  let lostCount = 0;
  let onFull = (): void => undefined;

  function readsOf(tenant: Tenant): TenantReads {
    let found = tenants.get(tenant);
    if (found === undefined) {
      found = { subjects: new Map(), records: [], counts: new Map(), earlier: [] };
      tenants.set(tenant, found);
    }
    return found;
  }

  function count(
    tenant: Tenant,
    key: string,
    { layer, id, version }: ReadVersion,
    use: 'loads' | 'syncs',
  ): void {
    const own = readsOf(tenant);
    let found = own.counts.get(key);
    if (found === undefined) {
      if (counted >= MAX_HELD) return lose();
      counted += 1;
      const day = minute.slice(0, DAY_LENGTH);
      found = { layer: layer.number, id, version, day, loads: 0, syncs: 0 };
      own.counts.set(key, found);
    }
    found[use] += 1;
  }

  function note(
    { tenant, caller }: ReadContext,
    key: string,
    type: ReadType,
    { version, detail }: { version?: AuditedVersion; detail?: string },
  ): void {
    const own = readsOf(tenant);
    const subject = identityOf(caller, public_mode);
    let known = own.subjects.get(subject);
    if (known === undefined) {
      known = { caller_kind: caller.kind, seen: new Set() };
      own.subjects.set(subject, known);
    }
    if (known.seen.has(key)) return;
    if (held >= MAX_HELD) return lose();
    if (seen >= MAX_SEEN) forget();
    known.seen.add(key);
    seen += 1;
    own.records.push({
      type,
      minute,
      subject,
      caller_kind: known.caller_kind,
      artifact: version?.artifact ?? '',
      version: version?.version ?? '',
      layer: version?.layer ?? '',
      name: version?.name ?? '',
      tags: version?.tags ?? [],
      detail: detail ?? '',
    });
    held += 1;
    if (held >= BATCH_SIZE) onFull();
  }

  function lose(): void {
    lost ??= { count: 0, since: minute };
    lost.count += 1;
    lostCount += 1;
  }

  function forget(): void {
    for (const own of tenants.values()) own.subjects.clear();
    seen = 0;
  }

  return {
    noteVersion(context, resolved, version, use) {
      const { layer, id } = resolved;
      const key = `${layer.number} ${id}@${resolved.version}`;
      if (counts) count(context.tenant, key, resolved, use);
      if (reads === 'none' || (reads === 'sensitive' && !version.is_sensitive)) return;
      note(context, key, 'artifact.loaded', { version });
    },
    noteManifest(context) {
      if (reads === 'all') note(context, 'manifest', 'manifest.synced', {});
    },
    noteSearch(context, query) {
      if (!queries) return;
      note(context, `query ${query}`, 'catalog.searched', { detail: redactQuery(query) });
    },
    noteRefusal(context, operation) {
      note(context, `refused ${operation}`, 'request.refused', { detail: operation });
    },
    roll() {
      const next = startOfMinute(now());
      if (next === minute) return;
      if (next.slice(0, DAY_LENGTH) !== minute.slice(0, DAY_LENGTH)) {
        for (const own of tenants.values()) {
          own.earlier.push(...own.counts.values());
          own.counts.clear();
        }
      }
      minute = next;
      forget();
    },
    take() {
      const batches: ReadBatch[] = [];
      for (const [tenant, own] of tenants) {
        const { records } = own;
        const used = [...own.earlier, ...own.counts.values()];
        if (records.length > 0 || used.length > 0) batches.push({ tenant, records, counts: used });
        own.records = [];
        own.earlier = [];
        own.counts.clear();
        if (own.subjects.size === 0) tenants.delete(tenant);
      }
      held = 0;
      counted = 0;
      return batches;
    },
    restore({ tenant, records, counts: used }) {
      const own = readsOf(tenant);
      const kept = records.slice(0, Math.max(0, MAX_HELD - held));
      const keptCounts = used.slice(0, Math.max(0, MAX_HELD - counted));
      own.records = [...kept, ...own.records];
      own.earlier = [...keptCounts, ...own.earlier];
      held += kept.length;
      counted += keptCounts.length;
      const dropped = records.length - kept.length + used.length - keptCounts.length;
      for (let at = 0; at < dropped; at += 1) lose();
    },
    takeLost() {
      const found = lost;
      lost = undefined;
      return found;
    },
    countLost: () => lostCount,
    onFull(listener) {
      onFull = listener;
    },
    size: () => held + counted,
  };
}

const DAY_LENGTH = '2026-01-02'.length;
const MINUTE_LENGTH = '2026-01-02T03:04'.length;

function startOfMinute(time: Date): string {
  return `${time.toISOString().slice(0, MINUTE_LENGTH)}:00.000Z`;
}
