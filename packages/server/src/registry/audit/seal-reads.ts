import { createHash } from 'node:crypto';
import type { NumberedRead } from '@catalog/core/ports/read-log';
import type { Tenant } from '@catalog/core/ports/tenant';
import { systemAuditContext } from '../audit-context.ts';
import type { Registry } from '../registry.ts';
import { buildAuditRecord } from './build-record.ts';

const PAGE = 1000;
const DAY_LENGTH = '2026-01-02'.length;

/**
 * Once a day, records the number and digest of the reads since the last such record. The record is a
 * fact, so a change of a read is found like a change of a fact.
 */
export async function sealReads(
  registry: Registry,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<void> {
  const { store } = registry;
  const { position: to, sealed: from } = await store.read_log.state(tenant);
  const at = registry.now().toISOString();
  const [first] = await store.read_log.list(tenant, from, 1);
  if (first === undefined || first.minute.slice(0, DAY_LENGTH) >= at.slice(0, DAY_LENGTH)) return;
  const digest = createHash('sha256');
  let count = 0;
  for (let after = from; after < to;) {
    if (signal.aborted) return;
    const page = await store.read_log.list(tenant, after, PAGE);
    const covered = page.filter(({ position }) => position <= to);
    for (const read of covered) digest.update(toDigestLine(read));
    count += covered.length;
    after = covered.at(-1)?.position ?? to;
  }
  const context = systemAuditContext(registry, 'audit');
  const facts = { first: from + 1, last: to, count, digest: `sha256:${digest.digest('hex')}` };
  await store.transaction(async ({ read_log, audit }) => {
    if (!(await read_log.seal(tenant, { from, to, at }))) return;
    await audit.append(tenant, [buildAuditRecord(context, 'audit.reads_sealed', facts)]);
  });
}

/** Leaves out the subject and its salt, which an erasure replaces. */
export function toDigestLine(read: NumberedRead): string {
  const { position, type, minute, caller_kind, commitment } = read;
  const { artifact, version, layer, name, tags, detail } = read;
  const members = [position, type, minute, caller_kind, commitment];
  return `${JSON.stringify([...members, artifact, version, layer, name, tags, detail])}\n`;
}
