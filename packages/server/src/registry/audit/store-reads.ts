import { createHash } from 'node:crypto';
import type { ReadRecord } from '@catalog/core/ports/read-log';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { systemAuditContext } from '../audit-context.ts';
import type { Registry } from '../registry.ts';
import { buildAuditRecord } from './build-record.ts';
import type { PendingRead, ReadBatch } from './read-log.ts';

/** Stores reads and counts of a tenant in one transaction, without the tenant's lock. */
export async function storeReads(
  registry: Registry,
  process: string,
  { tenant, records, counts }: ReadBatch,
): Promise<void> {
  const committed = addCommitments(registry, records);
  const last_batch_at = registry.now().toISOString();
  await registry.store.transaction(async ({ read_log, artifact_usage }) => {
    await read_log.putWriter({ process, last_batch_at });
    await read_log.append(tenant, committed);
    await artifact_usage.add(tenant, counts);
  });
}

/** Uses one salt per subject and batch. */
function addCommitments(registry: Registry, records: readonly PendingRead[]): ReadRecord[] {
  const commitments = new Map<string, Pick<ReadRecord, 'salt' | 'commitment'>>();
  return records.map((record) => {
    const { subject } = record;
    let found = commitments.get(subject);
    if (found === undefined) {
      const salt = registry.newSecret();
      const commitment = createHash('sha256').update(salt).update(subject).digest('hex');
      found = { salt, commitment };
      commitments.set(subject, found);
    }
    return { ...record, ...found };
  });
}

/** Records how many reads the process could not keep while the database was unavailable. */
export async function recordLostReads(registry: Registry, process: string): Promise<void> {
  const lost = registry.read_log.takeLost();
  if (lost === undefined) return;
  const context = systemAuditContext(registry, 'audit');
  const facts = { process, count: lost.count, since: lost.since };
  await registry.store.transaction(({ audit }) =>
    audit.append(ONLY_TENANT, [buildAuditRecord(context, 'registry.reads_lost', facts)]),
  );
}

/** Records that a process ended before it stored its last reads. */
export async function recordInterruptedReads(registry: Registry, process: string): Promise<void> {
  const context = systemAuditContext(registry, 'audit');
  const writers = await registry.store.read_log.listWriters();
  const writer = writers.find((one) => one.process === process);
  if (writer === undefined) return;
  const facts = { process, last_batch_at: writer.last_batch_at };
  await registry.store.transaction(async ({ read_log, audit }) => {
    if (!(await read_log.removeWriter(process))) return;
    await audit.append(ONLY_TENANT, [
      buildAuditRecord(context, 'registry.reads_interrupted', facts),
    ]);
  });
}
