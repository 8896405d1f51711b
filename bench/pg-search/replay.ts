import { SCHEMA } from '@catalog/server/adapters/store/postgres/pool/pool';
import type { Parameter } from '@catalog/server/adapters/store/shared/parameter';
import type { Queries, Run } from '@catalog/server/adapters/store/shared/queries';
import { types } from '@catalog/server/adapters/store/postgres/pool/types';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { Client } from 'pg';
import { cpuOf } from '../registry-process.ts';

export interface Statement {
  sql: string;
  parameters: readonly Parameter[];
}

/** A connection that uses only the driver and replays statements of the store. */
export interface BareConnection {
  replay(statements: readonly Statement[]): Promise<void>;
  record(work: (run: Run) => Promise<unknown>): Promise<Statement[]>;
  /** Returns the number of pages that a statement reads. */
  countBuffers(statement: Statement): Promise<number>;
  /** Returns the CPU time of the server process for this connection; 0 if it cannot be read. */
  cpuMs(): number;
  close(): Promise<void>;
}

export async function openBare(dsn: string): Promise<BareConnection> {
  const client = new Client({
    connectionString: dsn,
    types,
    options: `-c search_path=${SCHEMA} -c plan_cache_mode=force_custom_plan`,
  });
  await client.connect();
  await client.query("SELECT set_config('catalog.tenant', $1, false)", [String(ONLY_TENANT)]);
  const { rows: backend } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = backend[0]?.pid ?? 0;
  const names = new Map<string, string>();
  const nameOf = (sql: string): string => {
    const name = names.get(sql) ?? `bare_${names.size}`;
    names.set(sql, name);
    return name;
  };
  const send = async <Row extends object>({ sql, parameters }: Statement): Promise<Row[]> => {
    const { rows } = await client.query<Row>({
      name: nameOf(sql),
      text: sql,
      values: [...parameters],
    });
    return rows;
  };

  return {
    async replay(statements) {
      for (const statement of statements) await send(statement);
    },
    async record(work) {
      const statements: Statement[] = [];
      const rows = <Row extends object>(
        sql: string,
        ...parameters: Parameter[]
      ): Promise<Row[]> => {
        statements.push({ sql, parameters });
        return send<Row>({ sql, parameters });
      };
      const queries: Queries = {
        rows,
        row: async <Row extends object>(sql: string, ...parameters: Parameter[]) =>
          (await rows<Row>(sql, ...parameters))[0],
        run: async (sql, ...parameters) => (await rows(sql, ...parameters)).length,
        insert: () => Promise.reject(new Error('A search writes nothing.')),
      };
      await work((_, step) => step(queries));
      return statements;
    },
    async countBuffers({ sql, parameters }) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, unknown> }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
        [...parameters],
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
      return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
    },
    cpuMs() {
      try {
        return cpuOf(pid);
      } catch {
        return 0;
      }
    },
    close: () => client.end(),
  };
}
