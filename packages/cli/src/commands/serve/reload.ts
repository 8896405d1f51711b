import type { LoadedSettings } from '@catalog/server/config/load';
import type { Log } from '@catalog/server/observe/log';
import type { RunningRegistry } from '@catalog/server/start';

/**
 * Applies the current log level of the settings and the TLS files. Each keeps its previous value if it
 * is invalid. A registry that is still starting has no certificate to replace.
 */
export function reload(
  log: Log,
  load: () => LoadedSettings,
  running: Pick<RunningRegistry, 'reloadCertificate'> | undefined,
): void {
  try {
    log.level = load().settings['log.level'];
    log.info({ level: log.level }, 'reloaded the log level');
  } catch (error) {
    log.error({ error }, 'failed to reload the log level; keeping the current one');
  }
  try {
    if (running?.reloadCertificate() === true) log.info('reloaded the TLS certificate');
  } catch (error) {
    log.error({ error }, 'failed to reload the TLS certificate; keeping the current one');
  }
}
