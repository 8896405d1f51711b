import type { StoreWrites } from '@catalog/core/ports/store';
import { buildEvent } from '../events/build-event.ts';
import type { Registry } from '../registry.ts';
import type { IngestRun } from './ingest-run.ts';
import { mayAffect } from './layer-owner.ts';
import { withdrawHeads } from './put-versions.ts';

/**
 * Withdraws personal artifacts whose ids a layer of the organization adds, unless they extend it (SPEC-21) or their
 * owner does not see that layer.
 */
export async function withdrawPersonal(
  registry: Registry,
  writes: StoreWrites,
  { job, layer, occasion }: IngestRun,
  appeared: readonly string[],
): Promise<void> {
  if (layer.user_defined || appeared.length === 0) return;
  const personal = (await writes.layers.list(job.tenant)).filter((other) => other.user_defined);
  if (personal.length === 0) return;
  const stack = personal.map(({ number }) => number);
  const heads = await writes.versions.listHeadsOf(job.tenant, stack, appeared);
  for (const { id, layer: number, version } of heads) {
    const owner = personal.find((other) => other.number === number);
    if (owner === undefined) continue;
    if (!(await mayAffect(registry, writes, job.tenant, owner, layer))) continue;
    const record = await writes.versions.get(job.tenant, number, id, version);
    if (record?.extends?.id === id) continue;
    await withdrawHeads(writes, job.tenant, number, [id]);
    await writes.versions.putRejections(job.tenant, number, [
      {
        artifact_id: id,
        ...(record === undefined ? {} : { type: record.type }),
        code: 'ingest.collision',
        reason: `Layer \`${layer.id}\` has the same id.`,
        awaits: [],
      },
    ]);
    await writes.layers.touch(job.tenant, number);
    await writes.outbox.append(job.tenant, [
      buildEvent(occasion, 'artifact.removed', { id, layer: owner.id }),
    ]);
  }
}
