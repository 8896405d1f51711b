import { totalmem } from 'node:os';
import { installPostgres } from './postgres-program.ts';
import {
  hasData,
  makeData,
  postgresDsn,
  startPostgres,
  waitUntilPostgresReady,
} from './postgres-server.ts';
import { stopServer } from './server-process.ts';
import type { SharedServer } from './shared-server.ts';

/**
 * The server shares the machine with a replica, other servers and the tests. With less, benchmarks of
 * large catalogs would measure reads from disk.
 */
const SHARED_BUFFERS_MB = Math.max(256, Math.floor(totalmem() / 2 ** 20 / 8));

/**
 * Every test creates its own database. Does not wait for the disk, because tests of durability use
 * separate clusters.
 */
export const postgres: SharedServer = {
  needs: [],
  async install() {
    await installPostgres();
  },
  async start({ folder, port }) {
    const program = await installPostgres();
    if (!hasData(program, folder)) await makeData(program, folder);
    const settings = { fsync: 'off', shared_buffers: `${SHARED_BUFFERS_MB}MB` };
    return startPostgres(program, { folder, port, name: 'primary', shared: true, settings });
  },
  ready: waitUntilPostgresReady,
  env: (port) => ({ CATALOG_TEST_POSTGRES_DSN: postgresDsn(port) }),
  stop: (process) => stopServer(process, 'SIGINT'),
};
