import { installPostgres } from './postgres-program.ts';
import {
  copyPrimary,
  followedBy,
  hasData,
  postgresDsn,
  queryPostgres,
  startPostgres,
  untilPostgresAnswers,
} from './postgres-server.ts';
import { stopServer } from './server-process.ts';
import type { SharedServer } from './shared-server.ts';

/** Also the name of its slot on the primary. */
const NAME = 'replica';

/** A streaming standby of `postgres`, for reads. */
export const replica: SharedServer = {
  needs: ['postgres'],
  async install() {
    await installPostgres();
  },
  async start({ folder, port }, portOf) {
    const program = await installPostgres();
    const primaryPort = portOf('postgres');
    if (!hasData(program, folder) || !(await canCatchUp(primaryPort))) {
      await copyPrimary(program, { folder, name: NAME, primaryPort });
    }
    // Said again at every start: the primary may be on another port than when it was copied.
    const settings = { primary_conninfo: followedBy(primaryPort) };
    return startPostgres(program, { folder, port, name: NAME, shared: true, settings });
  },
  ready: untilPostgresAnswers,
  env: (port) => ({ CATALOG_TEST_REPLICA_DSN: postgresDsn(port) }),
  stop: (process) => stopServer(process, 'SIGINT'),
};

/** Whether the primary still has all that happened since the replica was last there. */
async function canCatchUp(primaryPort: number): Promise<boolean> {
  const sql = `SELECT 1 FROM pg_replication_slots WHERE slot_name = $1 AND wal_status IN ('reserved', 'extended')`;
  return (await queryPostgres(primaryPort, sql, [NAME])).length > 0;
}
