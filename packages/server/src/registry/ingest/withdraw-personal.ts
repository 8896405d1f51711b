import type { StoreWrites } from '@catalog/core/ports/store';
import { buildEvent } from '../events/build-event.ts';
import type { IngestRun } from './ingest-run.ts';
import { withdrawHeads } from './put-versions.ts';

/**
 * Where an organization's layer brings an id that a personal layer holds without extending it, the
 * personal artifact goes (decision 21): nobody's own layer can block the organization's.
 */
export async function withdrawPersonal(
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
    const record = await writes.versions.get(job.tenant, number, id, version);
    if (record?.extends?.id === id) continue;
    await withdrawHeads(writes, job.tenant, number, [id]);
    await writes.versions.putRejections(job.tenant, number, [
      {
        artifact_id: id,
        code: 'ingest.collision',
        reason: `Layer \`${layer.id}\` has the same id.`,
        awaits: [],
      },
    ]);
    await writes.layers.touch(job.tenant, number);
    const owner = personal.find((other) => other.number === number);
    await writes.outbox.append(job.tenant, [
      buildEvent(occasion, 'artifact.removed', { id, layer: owner?.id ?? '' }),
    ]);
  }
}
