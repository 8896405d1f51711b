import type { ServiceSettingName } from '../../packages/testkit/src/services.ts';
import type { ProcessRecord } from './server-process.ts';

/** Every server there is, in the order they start. */
export const serverNames = ['postgres', 'replica', 's3', 'toxiproxy'] as const;

export type ServerName = (typeof serverNames)[number];

/** The setting that holds the URL a server listens at. */
export const serverAddress = {
  postgres: 'CATALOG_TEST_POSTGRES_DSN',
  replica: 'CATALOG_TEST_REPLICA_DSN',
  s3: 'CATALOG_TEST_S3_ENDPOINT',
  toxiproxy: 'CATALOG_TEST_TOXIPROXY_URL',
} as const satisfies Record<ServerName, ServiceSettingName>;

export function isServerName(name: string): name is ServerName {
  return Object.hasOwn(serverAddress, name);
}

export interface ServerPlace {
  /** Data and log; what is in it from an earlier start is used again. */
  folder: string;
  port: number;
}

/** A server that everybody's tests share: a process on a loopback port. */
export interface SharedServer {
  /** Must run before this one starts, and stops after it. */
  needs: readonly ServerName[];
  install(): Promise<void>;
  /** Starts the process, no more; `portOf` gives the port of a server it needs. */
  start(place: ServerPlace, portOf: (name: ServerName) => number): Promise<ProcessRecord>;
  /** Waits until it answers. */
  ready(place: ServerPlace, process: ProcessRecord): Promise<void>;
  /** How tests find it. */
  env(port: number): Partial<Record<ServiceSettingName, string>>;
  stop(process: ProcessRecord): Promise<void>;
}
