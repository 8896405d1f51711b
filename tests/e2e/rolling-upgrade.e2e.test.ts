import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { migrations } from '@catalog/server/adapters/store/postgres/migrations/table';
import {
  installedProgram,
  startProgram,
  type CatalogRun,
  type RunningCatalog,
} from '@catalog/testkit/packed-program';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { openStandardBackend } from './standard-backend.ts';

/** The program before the last migrations, packed by tools/pack-commit.ts. */
const BEFORE = join(import.meta.dirname, '../fixtures/upgrade/catalog-before-access.tar.gz');
const LAST_BEFORE = 7;

interface Process {
  name: string;
  url: string;
  running: RunningCatalog;
}

/** Opens clients that never pause, and records the responses by process. */
function openTraffic(artifact: { id: string; latest: () => number }) {
  const ready: Process[] = [];
  const answered = new Map<string, number>();
  const failed: string[] = [];
  const underWay = new Map<Process, number>();
  const ending = new AbortController();
  let turn = 0;

  async function sendRequest(path: string, init?: RequestInit): Promise<string | undefined> {
    const process = ready[turn++ % ready.length];
    if (process === undefined) throw new Error('no process is ready');
    underWay.set(process, (underWay.get(process) ?? 0) + 1);
    try {
      const answer = await fetch(process.url + path, init);
      const body = await answer.text();
      if (answer.ok) answered.set(process.name, (answered.get(process.name) ?? 0) + 1);
      else failed.push(`${process.name} ${path}: ${answer.status} ${body}`);
      return body;
    } catch (error) {
      failed.push(`${process.name} ${path}: ${String(error)}`);
      return undefined;
    } finally {
      underWay.set(process, (underWay.get(process) ?? 0) - 1);
    }
  }

  async function keepReading(paths: readonly string[]): Promise<void> {
    while (!ending.signal.aborted) for (const path of paths) await sendRequest(path);
  }

  async function keepWriting(change: () => void): Promise<void> {
    while (!ending.signal.aborted) {
      change();
      await sendRequest('/v1/layers/reingest?id=base', { method: 'POST' });
      const answer = await sendRequest(`/v1/load_artifact?id=${artifact.id}`);
      const version = `1.0.${artifact.latest()}`;
      if (answer?.includes(`"version":"${version}"`) === false) {
        failed.push(`${artifact.id} is not ${version}: ${answer}`);
      }
      await pause(20);
    }
  }

  return {
    keepReading,
    keepWriting,
    failed,
    answers: (process: Process) => answered.get(process.name) ?? 0,
    add: (process: Process) => void ready.push(process),
    async remove(process: Process): Promise<void> {
      ready.splice(ready.indexOf(process), 1);
      while ((underWay.get(process) ?? 0) > 0) await pause(5);
    },
    close: () => ending.abort(),
  };
}

test(
  'two releases serve in parallel during the last migrations without failed requests',
  {
    timeout: 180_000,
  },
  async () => {
    const folder = temporaryFolder('catalog-upgrade-');
    const layer = join(folder, 'layer');
    let latest = 0;
    const write = (): void =>
      writeTree(layer, {
        'ops/a/ARTIFACT.md': `---\ntype: rule\nversion: 1.0.${latest}\ndescription: What changes.\n---\nDo it.\n`,
      });
    write();
    const programs = { before: unpack(folder), now: join(installedProgram(), 'bin/catalog') };
    const { env, owner } = await openStandardBackend();
    const place = { cwd: folder, home: folder };
    const admin = (program: string, args: string[]): Promise<CatalogRun> =>
      startProgram(program, ['admin', ...args, '--json'], { ...place, env: { ...env, ...owner } })
        .ended;

    async function serve(name: string, program: string): Promise<Process> {
      const args = ['serve', '--json', '--bind', '127.0.0.1:0'];
      const running = startProgram(program, args, { ...place, env });
      onTestFinished(async () => {
        running.signal('SIGKILL');
        await running.ended;
      });
      const [line] = await running.waitFor('stdout', /^\{.*\}$/m);
      const { url }: { url: string } = JSON.parse(line);
      return { name, url, running };
    }

    expect(await admin(programs.before, ['migrate'])).toMatchObject({ code: 0 });
    const old = [
      await serve('old 1', programs.before),
      await serve('old 2', programs.before),
    ] as const;
    const registered = await fetch(`${old[0].url}/v1/layers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'base', source_type: 'local', local_path: layer }),
    });
    expect(registered.status).toBe(201);
    await fetch(`${old[0].url}/v1/layers/reingest?id=base`, { method: 'POST' });

    const traffic = openTraffic({ id: 'ops/a', latest: () => latest });
    for (const process of old) traffic.add(process);
    const callers = [
      traffic.keepReading(['/v1/search_artifacts?query=changes', '/v1/load_domain?path=ops']),
      traffic.keepReading(['/v1/sync/manifest', '/v1/catalog', '/readyz']),
      traffic.keepWriting(() => {
        latest += 1;
        write();
      }),
    ];
    async function serveFor(processes: readonly Process[]): Promise<void> {
      const before = processes.map((process) => traffic.answers(process));
      while (processes.some((process, at) => traffic.answers(process) < (before[at] ?? 0) + 40)) {
        if (traffic.failed.length > 0) throw new Error(traffic.failed.join('\n'));
        await pause(20);
      }
    }
    async function stop(process: Process): Promise<void> {
      await traffic.remove(process);
      process.running.signal('SIGTERM');
      expect((await process.running.ended).code).toBe(0);
    }

    await serveFor(old);
    const migrated: { steps: { number: number }[] } = JSON.parse(
      (await admin(programs.now, ['migrate'])).stdout,
    );
    expect(migrated.steps.map(({ number }) => number)).toEqual(
      migrations.slice(LAST_BEFORE).map(({ number }) => number),
    );
    await serveFor(old);
    const first = await serve('new 1', programs.now);
    traffic.add(first);
    await serveFor([...old, first]);
    await stop(old[0]);
    // A rollback also works: the previous release starts on the newer schema.
    const again = await serve('old 3', programs.before);
    traffic.add(again);
    await serveFor([old[1], again, first]);
    const second = await serve('new 2', programs.now);
    traffic.add(second);
    await stop(old[1]);
    await stop(again);
    await serveFor([first, second]);
    traffic.close();
    await Promise.all(callers);
    expect(traffic.failed).toEqual([]);
    expect(latest).toBeGreaterThan(5);
    await stop(first);
    await stop(second);
    expect(JSON.parse((await admin(programs.now, ['verify'])).stdout)).toMatchObject({ ok: true });
  },
);

function unpack(folder: string): string {
  const prefix = join(folder, 'before');
  mkdirSync(prefix);
  const { status, stderr } = spawnSync('tar', ['-xzf', BEFORE, '-C', prefix], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const program = join(prefix, 'package/dist/bin.js');
  chmodSync(program, 0o755);
  return program;
}
