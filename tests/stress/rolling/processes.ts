import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, dropDatabase, prepareTemplate } from '@catalog/testkit/postgres-database';
import { freePort } from '../../../tools/services/free-port.ts';
import { startServeProcess, stopServeProcess } from '../serve-process.ts';

const SHUTDOWN_DELAY = '5s';

export interface Processes {
  ports: readonly number[];
  /** Restarts a process gracefully; returns when it is ready. */
  restart(index: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts processes that serve one layer of `artifacts` artifacts, named `area/one-0` and so on. */
export async function startProcesses(
  folder: string,
  count: number,
  artifacts: number,
): Promise<Processes> {
  const source = join(folder, 'layer');
  for (let index = 0; index < artifacts; index += 1) {
    const place = join(source, `area/one-${index}`);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'SKILL.md'), skillOf(index));
  }
  const config = join(folder, 'registry.yaml');
  writeFileSync(
    config,
    `registry:\n  layers:\n    - { id: team, source: { local: { path: ${source} } } }\n`,
  );
  const database = await createDatabase(await prepareTemplate());
  const env = {
    CATALOG_REGISTRY_STORE: 'postgres',
    CATALOG_POSTGRES_DSN: database.dsn,
    CATALOG_EMBEDDING_PROVIDER: 'none',
    // Same value as on the install page, for proxies with health checks.
    CATALOG_SHUTDOWN_DELAY: SHUTDOWN_DELAY,
  };

  const start = (port: number): Promise<ChildProcess> =>
    startServeProcess({ folder, config, port, env });
  const ports: number[] = [];
  const children: ChildProcess[] = [];
  for (let index = 0; index < count; index += 1) {
    const port = await freePort();
    ports.push(port);
    children.push(await start(port));
  }
  return {
    ports,
    async restart(index) {
      const [child, port] = [children[index], ports[index]];
      if (child === undefined || port === undefined) throw new RangeError(`no process ${index}`);
      await stopServeProcess(child, 'SIGTERM');
      children[index] = await start(port);
    },
    async close() {
      await Promise.all(children.map((child) => stopServeProcess(child, 'SIGKILL')));
      await dropDatabase(database.name);
    },
  };
}

function skillOf(index: number): string {
  return [
    '---',
    `name: one-${index}`,
    `description: Checks release number ${index} before it ships.`,
    'metadata:',
    "  version: '1.0.0'",
    '---',
    '',
    'Run the tests.',
    '',
  ].join('\n');
}
