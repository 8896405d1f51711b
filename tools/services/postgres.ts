import { installPostgres } from './postgres-program.ts';
import {
  hasData,
  makeData,
  postgresDsn,
  startPostgres,
  untilPostgresAnswers,
} from './postgres-server.ts';
import { stopServer } from './server-process.ts';
import type { SharedServer } from './shared-server.ts';

/**
 * The primary. Every test makes a database of its own in it. What outlives a crash is shown on clusters
 * of its own, so this one need not wait for the disk.
 */
export const postgres: SharedServer = {
  needs: [],
  async install() {
    await installPostgres();
  },
  async start({ folder, port }) {
    const program = await installPostgres();
    if (!hasData(program, folder)) await makeData(program, folder);
    const settings = { fsync: 'off' };
    return startPostgres(program, { folder, port, name: 'primary', shared: true, settings });
  },
  ready: untilPostgresAnswers,
  env: (port) => ({ CATALOG_TEST_POSTGRES_DSN: postgresDsn(port) }),
  stop: (process) => stopServer(process, 'SIGINT'),
};
