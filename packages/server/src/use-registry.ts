import { composeRegistry } from './compose.ts';
import type { Settings } from './config/settings.ts';
import { loadPlugins } from './plugins/load-plugins.ts';
import type { Registry } from './registry/registry.ts';

/**
 * Uses a registry without listeners and jobs. Another running registry requires a store that supports several
 * processes.
 */
export async function useRegistry<Result>(
  settings: Settings,
  work: (registry: Registry) => Promise<Result>,
): Promise<Result> {
  const composed = await composeRegistry(settings, await loadPlugins(settings.plugins));
  try {
    return await work(composed.registry);
  } finally {
    await composed.close();
  }
}
