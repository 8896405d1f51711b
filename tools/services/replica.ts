import { installPostgres } from './postgres-program.ts';
import {
  copyPrimary,
  primaryConninfo,
  hasData,
  postgresDsn,
  queryPostgres,
  startPostgres,
  waitUntilPostgresReady,
} from './postgres-server.ts';
import { IN_MEMORY } from './postgres.ts';
import { stopServer } from './server-process.ts';
import type { SharedServer } from './shared-server.ts';

/** Also the name of the slot on the primary. */
const NAME = 'replica';

export const replica: SharedServer = {
  needs: ['postgres'],
  async install() {
    await installPostgres();
  },
  async start({ folder, port, in_memory }, portOf) {
    const program = await installPostgres();
    const primaryPort = portOf('postgres');
    if (!hasData(program, folder) || !(await canCatchUp(primaryPort))) {
      await copyPrimary(program, { folder, name: NAME, primaryPort });
    }
    // Set at every start, because the port of the primary may have changed since the copy.
    const own = in_memory ? IN_MEMORY : {};
    const settings = { ...own, primary_conninfo: primaryConninfo(primaryPort) };
    return startPostgres(program, { folder, port, name: NAME, shared: true, settings });
  },
  ready: waitUntilPostgresReady,
  env: (port) => ({ CATALOG_TEST_REPLICA_DSN: postgresDsn(port) }),
  stop: (process) => stopServer(process, 'SIGINT'),
};

/** The primary must still have all WAL that the replica missed. */
async function canCatchUp(primaryPort: number): Promise<boolean> {
  const sql = `SELECT 1 FROM pg_replication_slots WHERE slot_name = $1 AND wal_status IN ('reserved', 'extended')`;
  return (await queryPostgres(primaryPort, sql, [NAME])).length > 0;
}
