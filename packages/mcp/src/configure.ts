import { isAddress } from '@catalog/consumer/config/is-address';
import { resolveCacheMode } from '@catalog/consumer/config/cache-mode';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { readMinimumClients, type MinimumClients } from './minimum-clients.ts';
import { readSurfaces, type Surface } from './surfaces.ts';
import type { StartEnvironment } from './served-config.ts';

export interface McpSettings {
  surroundings: StartEnvironment;
  harness: string;
  /** True if executable content is written without approval (SPEC-64). */
  write_all: boolean;
  ignore_runtime: boolean;
  materialize_root: string | undefined;
  min_clients: MinimumClients;
  surfaces: ReadonlySet<Surface>;
}

/**
 * Reads the settings of the server. Invalid variables are rejected before the first message. The configuration files
 * are read only if no variable sets the registry, so that the server starts fast; other errors in the files are
 * reported to the first call.
 */
export async function configure(surroundings: StartEnvironment): Promise<McpSettings> {
  const { env } = surroundings;
  resolveCacheMode({ ...surroundings, flags: {} });
  const settings = {
    surroundings,
    // Only the variable applies: profiles and defaults are for sync (MCP-06).
    harness: env['CATALOG_HARNESS'] || 'none',
    write_all: readWriteAll(env['CATALOG_MCP_WRITE']),
    ignore_runtime: readIgnoreRuntime(env['CATALOG_IGNORE_RUNTIME_REQUIREMENTS']),
    materialize_root: env['CATALOG_MATERIALIZE_ROOT'] || undefined,
    min_clients: readMinimumClients(env['CATALOG_MCP_MIN_CLIENTS']),
    surfaces: readSurfaces(env['CATALOG_MCP_SURFACES']),
  };
  if (!isAddress(env['CATALOG_REGISTRY'] ?? '')) {
    const { loadServedConfig } = await import('./served-config.ts');
    loadServedConfig(surroundings);
  }
  return settings;
}

/** Reads `CATALOG_MCP_WRITE`. Rejects all values except `all`, because a user could misunderstand what is written. */
function readWriteAll(value: string | undefined): boolean {
  if (value === undefined || value === '') return false;
  if (value === 'all') return true;
  throw new CatalogError('config.invalid', `CATALOG_MCP_WRITE is ${value}, but must be \`all\`.`, {
    details: { key: 'CATALOG_MCP_WRITE', value },
    suggested_action: 'Set it to `all`, or unset it so that executable content needs approval.',
  });
}

function readIgnoreRuntime(value: string | undefined): boolean {
  if (value === undefined || value === '' || value === 'false') return false;
  if (value === 'true') return true;
  const key = 'CATALOG_IGNORE_RUNTIME_REQUIREMENTS';
  throw new CatalogError('config.invalid', `${key} is ${value}, but must be \`true\`.`, {
    details: { key, value },
    suggested_action:
      'Set it to `true`, or leave it out so that artifacts this machine cannot run are rejected.',
  });
}
