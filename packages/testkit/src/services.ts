import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How the real servers of the tests are reached; `./dev services up` sets them all. */
export type ServiceSettingName =
  /** The primary, as superuser. */
  | 'CATALOG_TEST_POSTGRES_DSN'
  /** A streaming standby of it, as superuser. */
  | 'CATALOG_TEST_REPLICA_DSN'
  | 'CATALOG_TEST_S3_ENDPOINT'
  | 'CATALOG_TEST_S3_ACCESS_KEY_ID'
  | 'CATALOG_TEST_S3_SECRET_ACCESS_KEY'
  /** Where the fault proxy is told what to do. */
  | 'CATALOG_TEST_TOXIPROXY_URL';

/** Where `./dev services up` writes how its servers are reached. */
const SERVICES_ENVIRONMENT = join(import.meta.dirname, '../../../.services/env.json');

/** How a real server of the tests is reached; says how to start it when it is not there. */
export function serviceSetting(name: ServiceSettingName): string {
  const value = getServiceSetting(name);
  if (value !== undefined) return value;
  throw new Error(`${name} is not set. Start the servers: ./dev services up`);
}

/** The environment's word goes before that of the servers `./dev services` runs. */
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
