import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startRegistry } from '@catalog/testkit/registry-server';
import { sendJson, startFakeServer, type FakeServer } from '@catalog/testkit/fake-server';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { until } from './until.ts';
import { openWorkspace, skill, type Workspace } from './workspace.ts';

const TYPES = [
  'artifact.published',
  'artifact.deprecated',
  'artifact.removed',
  'artifact.restored',
  'layer.config_changed',
  'layer.user_registered',
];

interface Stage {
  registry: FakeServer;
  /** Returns the open stream; waits for it if necessary. */
  stream(): Promise<ServerResponse>;
  opened: number[];
  manifests(): number;
}

async function openStage(status = 200): Promise<Stage> {
  const streams: ServerResponse[] = [];
  const opened: number[] = [];
  const registry = await startFakeServer(({ path }, response) => {
    if (!path.startsWith('/v1/events')) {
      sendJson(response, { artifacts: [], rejected: [] }, { headers: { etag: '"1"' } });
      return;
    }
    opened.push(Date.now());
    if (status !== 200) {
      const envelope = {
        code: 'auth.forbidden',
        message: 'Sign in first.',
        details: {},
        retryable: false,
        suggested_action: 'Sign in.',
      };
      sendJson(response, envelope, { status });
      return;
    }
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders();
    response.once('close', () => streams.splice(streams.indexOf(response), 1));
    streams.push(response);
  });
  return {
    registry,
    opened,
    stream: () => until('a subscription', () => streams.at(-1)),
    manifests: () => registry.requests.filter(({ path }) => path === '/v1/sync/manifest').length,
  };
}

async function watch(workspace: Workspace, url: string) {
  const running = workspace.start(`sync --watch --json --registry ${url} --harness harness-a`);
  await running.waitFor('stderr', /Watching http/);
  const runs = (): number => running.output().stdout.split('\n').length - 1;
  return { running, runs };
}

describe('watching a server', () => {
  verifies(
    'WATCH-09',
    'opens one long-lived stream for the events that change a view',
    async () => {
      const stage = await openStage();
      await watch(openWorkspace(), stage.registry.url);
      await stage.stream();
      const subscriptions = stage.registry.requests.filter(({ path }) => path.includes('events'));
      expect(subscriptions).toHaveLength(1);
      const query = new URL(subscriptions[0]?.path ?? '', stage.registry.url).searchParams;
      expect(query.getAll('type')).toEqual(TYPES);
    },
  );

  verifies(
    ['WATCH-10', 'WATCH-11'],
    'syncs after every line except a heartbeat, regardless of the content of the line',
    async () => {
      const stage = await openStage();
      const { runs } = await watch(openWorkspace(), stage.registry.url);
      const stream = await stage.stream();
      expect(runs()).toBe(1);
      stream.write('{"event":"_heartbeat"}\n');
      await delay(600);
      expect(runs()).toBe(1);
      const lines = [
        '{"event":"artifact.published","data":{"id":"x"}}',
        '{"event":"layer.config_changed"}',
        '{"event":"_gap"}',
        '{"event":"something.new","data":"whatever"}',
        'not even JSON',
      ];
      for (const [index, line] of lines.entries()) {
        stream.write(`${line}\n`);
        await until(`the run for ${line}`, () => runs() === index + 2);
      }
    },
  );

  verifies('WATCH-12', 'reconnects half a second after a stream was closed', async () => {
    const stage = await openStage();
    const { runs } = await watch(openWorkspace(), stage.registry.url);
    // The delay is always the same: it does not grow if a registry keeps closing the stream.
    const pauses: number[] = [];
    for (let drop = 1; drop <= 5; drop += 1) {
      const stream = await stage.stream();
      const dropped = Date.now();
      if (drop % 2 === 0) stream.end();
      else stream.destroy();
      await until(`subscription ${drop + 1}`, () => stage.opened.length > drop);
      pauses.push((stage.opened[drop] ?? 0) - dropped);
      // Syncs after every reconnect, because events may have been missed.
      await until('a run for what may have been missed', () => runs() > drop);
    }
    pauses.sort((a, b) => a - b);
    expect(pauses[0]).toBeGreaterThanOrEqual(490);
    expect(pauses[2], `pauses of ${pauses.join(', ')} ms`).toBeLessThan(900);
  });

  verifies('WATCH-14', 'reports the status of a rejected subscription once', async () => {
    const stage = await openStage(403);
    const { running } = await watch(openWorkspace(), stage.registry.url);
    await running.waitFor(
      'stderr',
      /event stream of the registry returned 403: The registry at \S+ reports: "Sign in first\."/,
    );
    await until('another attempt', () => stage.opened.length >= 2);
    expect(running.output().stderr.match(/returned 403/g)).toHaveLength(1);
  });

  test('installs published artifacts, and removes deleted ones', async () => {
    const server = await startRegistry({ layers: { base: skill('a/one') } });
    const workspace = openWorkspace();
    const { running } = await watch(workspace, server.url);
    const placed = (name: string): string =>
      join(workspace.root, `.harness-a/skills/${name}/SKILL.md`);
    expect(existsSync(placed('one'))).toBe(true);
    await server.ingest(skill('a/two'));
    await until('the new one', () => existsSync(placed('two')));
    await until('the old one gone', () => !existsSync(placed('one')));
    running.signal('SIGINT');
    expect((await running.ended).code).toBe(130);
  });

  test('still watches the overlay', async () => {
    const server = await startRegistry({ layers: { base: skill('a/one') } });
    const workspace = openWorkspace({}, skillIn('.catalog/overlay', 'a/one', 'My way.'));
    await watch(workspace, server.url);
    const placed = join(workspace.root, '.harness-a/skills/one/SKILL.md');
    expect(readFileSync(placed, 'utf8')).toContain('My way.');
    writeTree(workspace.root, skillIn('.catalog/overlay', 'a/one', 'Another way.'));
    await until('the edit', () => readFileSync(placed, 'utf8').includes('Another way.'));
  });

  test('reconnects to a registry that was unavailable', async () => {
    const stage = await openStage();
    const { running } = await watch(openWorkspace(), stage.registry.url);
    await stage.stream();
    await stage.registry.close();
    await running.waitFor('stderr', /is unreachable: .* Retrying\./);
    const port = Number(new URL(stage.registry.url).port);
    await startFakeServer(({ path }, response) => {
      if (path.startsWith('/v1/events')) response.writeHead(200).flushHeaders();
      else sendJson(response, { artifacts: [], rejected: [] });
    }, port);
    await running.waitFor('stderr', /Reconnected to the registry/);
  });
});

function skillIn(folder: string, id: string, body: string) {
  const files = Object.entries(skill(id, `Do what ${id} is for.`, body));
  return Object.fromEntries(files.map(([path, text]) => [`${folder}/${path}`, text]));
}
