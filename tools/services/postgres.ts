import { totalmem } from 'node:os';
import { installPostgres } from './postgres-program.ts';
import {
  hasData,
  makeData,
  postgresDsn,
  startPostgres,
  waitUntilPostgresReady,
  type PostgresSettings,
} from './postgres-server.ts';
import { stopServer } from './server-process.ts';
import type { SharedServer } from './shared-server.ts';

/**
 * The server shares the machine with a replica, other servers and the tests. With less, benchmarks of
 * large catalogs would measure reads from disk.
 */
const SHARED_BUFFERS_MB = Math.max(256, Math.floor(totalmem() / 2 ** 20 / 8));

/** A small cache: PostgreSQL scans all of it when it creates or drops a database. */
export const IN_MEMORY: PostgresSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '256MB',
  max_wal_size: '512MB',
};

/**
 * Every test creates its own database. Does not wait for the disk, because tests of durability use
 * separate clusters.
 */
export const postgres: SharedServer = {
  needs: [],
  async install() {
    await installPostgres();
  },
  async start({ folder, port, in_memory }) {
    const program = await installPostgres();
    if (!hasData(program, folder)) await makeData(program, folder);
    const settings = in_memory
      ? IN_MEMORY
      : { fsync: 'off', shared_buffers: `${SHARED_BUFFERS_MB}MB` };
    return startPostgres(program, { folder, port, name: 'primary', shared: true, settings });
  },
  ready: waitUntilPostgresReady,
  env: (port) => ({ CATALOG_TEST_POSTGRES_DSN: postgresDsn(port) }),
  stop: (process) => stopServer(process, 'SIGINT'),
};
