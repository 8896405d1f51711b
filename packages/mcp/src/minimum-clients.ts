import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** Minimum versions of hosts, by name in lowercase. */
export type MinimumClients = ReadonlyMap<string, string>;

export interface ClientInfo {
  name: string;
  version: string;
}

/** Parses minimum versions such as `claude-code=1.0.30,cursor=0.50` (CATALOG_MCP_MIN_CLIENTS). */
export function readMinimumClients(value: string | undefined): MinimumClients {
  const minimums = new Map<string, string>();
  for (const part of (value ?? '').split(',')) {
    const entry = part.trim();
    if (entry === '') continue;
    const match = /^([^=]*[^=\s])\s*=\s*(\d+(?:\.\d+)*)$/.exec(entry);
    if (match?.[1] === undefined || match[2] === undefined) {
      throw new CatalogError(
        'config.invalid',
        `CATALOG_MCP_MIN_CLIENTS has the entry ${entry}, but each entry must be a host name, "=", and a version.`,
        {
          details: { key: 'CATALOG_MCP_MIN_CLIENTS', value: entry },
          suggested_action: 'Write it as in `claude-code=1.0.30,cursor=0.50`, or leave it out.',
        },
      );
    }
    minimums.set(match[1].toLowerCase(), match[2]);
  }
  return minimums;
}

/** Returns the minimum version that a host does not meet. Hosts with an unknown version format are accepted. */
export function getUnmetMinimum(
  minimums: MinimumClients,
  { name, version }: ClientInfo,
): string | undefined {
  const minimum = minimums.get(name.toLowerCase());
  if (minimum === undefined) return undefined;
  const running = /^v?(\d+(?:\.\d+)*)/.exec(version)?.[1];
  return running !== undefined && isLower(running, minimum) ? minimum : undefined;
}

function isLower(version: string, minimum: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, wanted] of minimum.split('.').map(Number).entries()) {
    const difference = (parts[index] ?? 0) - wanted;
    if (difference !== 0) return difference < 0;
  }
  return false;
}
