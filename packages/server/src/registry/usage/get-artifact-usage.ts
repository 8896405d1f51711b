import type { ArtifactUsage } from '@catalog/contract/records/usage';
import { listWinners, noSuchArtifact } from '../load/resolve-artifact.ts';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';

const DAY_MILLISECONDS = 86_400_000;
const DAY_LENGTH = '2026-01-02'.length;
/** Versions times days; older days are left out. */
const MAX_ROWS = 5000;

/** Counts only the layers of the caller's view. */
export async function getArtifactUsage(
  registry: Registry,
  context: CallContext,
  { id, days: covered }: { id: string; days: number },
): Promise<ArtifactUsage> {
  const view = await resolveView(registry, context);
  const winners = await listWinners(context, view, [id]);
  if (!winners.has(id)) throw noSuchArtifact(id);
  const first = registry.now().getTime() - (covered - 1) * DAY_MILLISECONDS;
  const since = new Date(first).toISOString().slice(0, DAY_LENGTH);
  const { artifact_usage } = registry.store;
  const rows = await artifact_usage.listDays(context.tenant, view.stack, id, since, MAX_ROWS);
  const days = rows.map(({ layer, day, version, loads, syncs }) => ({
    day,
    version,
    layer: view.byNumber.get(layer)?.id ?? '',
    loads,
    syncs,
  }));
  return {
    id,
    since,
    loads: days.reduce((sum, { loads }) => sum + loads, 0),
    syncs: days.reduce((sum, { syncs }) => sum + syncs, 0),
    days,
  };
}
