import type { Registry } from '../registry.ts';

const DAY_MILLISECONDS = 86_400_000;

/** Forgets what has expired of what no tenant keeps for itself: sessions, deliveries (decision 30). */
export async function sweepShared(registry: Registry): Promise<void> {
  const now = registry.now();
  const yesterday = new Date(now.getTime() - DAY_MILLISECONDS);
  await registry.store.transaction(async (writes) => {
    await writes.sessions.prune(now.toISOString());
    await writes.deliveries.prune(yesterday.toISOString());
  });
}
