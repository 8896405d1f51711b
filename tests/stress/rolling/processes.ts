import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createDatabase, dropDatabase, prepareTemplate } from '@catalog/testkit/postgres-database';
import { answersHttp } from '../../../tools/services/answers-http.ts';
import { freePort } from '../../../tools/services/free-port.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CLI = `${ROOT}/packages/cli/src/bin.ts`;
const READY_MS = 30_000;

/** Processes of one registry on PostgreSQL, each with a port of its own. */
export interface Processes {
  ports: readonly number[];
  /** Stops a process in order and starts it again; returns when it is ready. */
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
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    CATALOG_REGISTRY_STORE: 'postgres',
    CATALOG_POSTGRES_DSN: database.dsn,
    CATALOG_EMBEDDING_PROVIDER: 'none',
    CATALOG_LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  };

  async function start(port: number): Promise<ChildProcess> {
    const words = [CLI, 'serve', '--config', config, '--bind', `127.0.0.1:${port}`];
    const child = spawn(process.execPath, ['--conditions=@catalog/source', ...words], {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    for (
      const latest = performance.now() + READY_MS;
      !(await answersHttp(`http://127.0.0.1:${port}/readyz`));
    ) {
      if (child.exitCode !== null || performance.now() > latest) {
        child.kill('SIGKILL');
        throw new Error(`A process is not ready:\n${errors}`);
      }
      await setTimeout(20);
    }
    return child;
  }

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
      await stop(child, 'SIGTERM');
      children[index] = await start(port);
    },
    async close() {
      await Promise.all(children.map((child) => stop(child, 'SIGKILL')));
      await dropDatabase(database.name);
    },
  };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
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
