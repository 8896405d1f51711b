import type { StoreWrites } from '@catalog/core/ports/store';
import { buildEvent } from '../events/build-event.ts';
import type { IngestRun } from './ingest-run.ts';

/** Emits an event for each new or changed `DOMAIN.md` (EVENT-07). Returns true if there was one. */
export async function publishDomains(
  writes: StoreWrites,
  { job, layer, decided, occasion }: IngestRun,
  removed: readonly string[],
): Promise<boolean> {
  const { tenant } = job;
  const domains = decided.decision.domains.flatMap((domain) =>
    domain.manifest === undefined
      ? []
      : [{ path: domain.path, text: domain.manifest.text, domain }],
  );
  const paths = domains.map(({ path }) => path);
  const stored = await writes.domains.readTexts(tenant, layer.number, paths);
  const changed = domains.filter(({ path, text }) => stored.get(path) !== text);
  if (removed.length > 0) await writes.domains.removeDomains(tenant, layer.number, removed);
  if (changed.length > 0) await writes.domains.putDomains(tenant, layer.number, changed);
  await writes.outbox.append(
    tenant,
    changed.map(({ path }) =>
      buildEvent(occasion, 'domain.published', { domain: path, layer: layer.id }),
    ),
  );
  return changed.length > 0 || removed.length > 0;
}
