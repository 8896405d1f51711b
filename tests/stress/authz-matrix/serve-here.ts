import { composeRegistry } from '@catalog/server/compose';
import type { Settings } from '@catalog/server/config/settings';
import { listen } from '@catalog/server/listen';
import { openLog } from '@catalog/server/observe/log';
import { loadPlugins } from '@catalog/server/plugins/load-plugins';
import type { Registry } from '@catalog/server/registry/registry';

/** A registry in this process. It runs no jobs, so that its state only changes through requests. */
export interface ServedHere {
  url: string;
  registry: Registry;
  log: readonly string[];
  close(): Promise<void>;
}

export async function serveHere(settings: Settings): Promise<ServedHere> {
  const log: string[] = [];
  const opened = openLog({
    level: settings['log.level'],
    format: 'json',
    output: { write: (text: string) => log.push(text) },
  });
  const composed = await composeRegistry(settings, await loadPlugins([]));
  const listening = await listen(settings, undefined, composed, opened.log);
  const { url } = listening;
  const { registry } = composed;
  registry.settings.public_url = url;
  return {
    url,
    registry,
    log,
    async close() {
      registry.events.close();
      await listening.close({ drain_ms: 0 });
      await opened.flush();
      await composed.close();
    },
  };
}
