import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Settings of the test servers, all of which `./dev services up` sets. */
export type ServiceSettingName =
  /** The primary, as superuser. */
  | 'CATALOG_TEST_POSTGRES_DSN'
  /** A streaming standby of the primary, as superuser. */
  | 'CATALOG_TEST_REPLICA_DSN'
  | 'CATALOG_TEST_S3_ENDPOINT'
  | 'CATALOG_TEST_S3_ACCESS_KEY_ID'
  | 'CATALOG_TEST_S3_SECRET_ACCESS_KEY'
  /** API of the proxy that simulates faults. */
  | 'CATALOG_TEST_TOXIPROXY_URL';

const SERVICES_ENVIRONMENT = join(import.meta.dirname, '../../../.services/env.json');

/** Returns a setting. Throws with instructions if the server is not running. */
export function serviceSetting(name: ServiceSettingName): string {
  const value = getServiceSetting(name);
  if (value !== undefined) return value;
  throw new Error(`${name} is not set. Start the servers: ./dev services up`);
}

/** Returns a setting from the environment, or from the servers of `./dev services`. */
export function getServiceSetting(name: ServiceSettingName): string | undefined {
  return process.env[name] ?? readEnvironment()[name];
}

function readEnvironment(): Record<string, string | undefined> {
  try {
    return JSON.parse(readFileSync(SERVICES_ENVIRONMENT, 'utf8'));
  } catch {
    return {};
  }
}
