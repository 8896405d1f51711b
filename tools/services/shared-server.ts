import type { ServiceSettingName } from '../../packages/testkit/src/services.ts';
import type { ProcessRecord } from './server-process.ts';

/** In the order in which the servers start. */
export const serverNames = ['postgres', 'replica', 's3', 'toxiproxy'] as const;

export type ServerName = (typeof serverNames)[number];

export const serverAddress = {
  postgres: 'CATALOG_TEST_POSTGRES_DSN',
  replica: 'CATALOG_TEST_REPLICA_DSN',
  s3: 'CATALOG_TEST_S3_ENDPOINT',
  toxiproxy: 'CATALOG_TEST_TOXIPROXY_URL',
} as const satisfies Record<ServerName, ServiceSettingName>;

export function isServerName(name: string): name is ServerName {
  return Object.hasOwn(serverAddress, name);
}

export interface ServerLocation {
  /** Data from earlier starts is used again. */
  folder: string;
  port: number;
  /** The folder is in memory, for tests: the server needs no large cache. */
  in_memory?: boolean;
}

export interface SharedServer {
  /** These start before this server and stop after it. */
  needs: readonly ServerName[];
  install(): Promise<void>;
  start(place: ServerLocation, portOf: (name: ServerName) => number): Promise<ProcessRecord>;
  ready(place: ServerLocation, process: ProcessRecord): Promise<void>;
  env(port: number): Partial<Record<ServiceSettingName, string>>;
  stop(process: ProcessRecord): Promise<void>;
}
