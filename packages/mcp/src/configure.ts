import { isAddress } from '@catalog/consumer/config/is-address';
import { resolveCacheMode } from '@catalog/consumer/config/cache-mode';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { readMinimumClients, type MinimumClients } from './minimum-clients.ts';
import { readSurfaces, type Surface } from './surfaces.ts';
import type { Surroundings } from './served-config.ts';

/** What the environment says that no other program reads. */
export interface McpSettings {
  surroundings: Surroundings;
  harness: string;
  /** Executable content may be written without approval (SPEC-64). */
  write_all: boolean;
  /** This machine need not have what an artifact needs. */
  ignore_runtime: boolean;
  /** `CATALOG_MATERIALIZE_ROOT`. */
  materialize_root: string | undefined;
  min_clients: MinimumClients;
  /** What is offered beside the four tools. */
  surfaces: ReadonlySet<Surface>;
}

/**
 * Reads the environment contract; what cannot be served is refused here, before the first message.
 * The files of the configuration are read only where no variable names the registry: a start waits
 * for nothing it does not need, and what else they hold is told to the first call.
 */
export async function configure(surroundings: Surroundings): Promise<McpSettings> {
  const { env } = surroundings;
  resolveCacheMode({ ...surroundings, flags: {} });
  const settings = {
    surroundings,
    // The variable alone: profiles and defaults are for sync (MCP-06).
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

/** Anything but `all` would be a misunderstanding of who decides what is written. */
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
