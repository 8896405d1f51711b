import { composeRegistry } from './compose.ts';
import type { Settings } from './config/settings.ts';
import { loadPlugins } from './plugins/load-plugins.ts';
import type { Registry } from './registry/registry.ts';

/**
 * Opens what the settings name for one piece of work, without a door and without jobs. Beside a
 * running registry this needs a store that several processes may use; a SQLite file says who has it.
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
