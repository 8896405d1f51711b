import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startOidcProvider } from '@catalog/testkit/oidc-provider-server';
import { sendJson, startFakeServer } from '@catalog/testkit/fake-server';
import { verifies } from '@catalog/testkit/verifies';
import { openPlace, signIn } from './sign-in.ts';
import { until } from './until.ts';
import { openWorkspace, skill } from './workspace.ts';

const WATCH = 'sync --watch --json --harness harness-a';

/** Opens a registry without artifacts that records the bearer token of every subscription. */
async function openStage() {
  const streams: ServerResponse[] = [];
  const bearers: (string | undefined)[] = [];
  const registry = await startFakeServer(({ path, headers }, response) => {
    if (!path.startsWith('/v1/events')) {
      sendJson(response, { artifacts: [], rejected: [] }, { headers: { etag: '"1"' } });
      return;
    }
    bearers.push(headers.authorization);
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders();
    streams.push(response);
  });
  return { registry, bearers, stream: () => until('a subscription', () => streams.at(-1)) };
}

describe('sync --watch with a token', () => {
  verifies('WATCH-13', 'subscribes with the newest bearer token', async () => {
    const { registry, bearers, stream } = await openStage();
    const workspace = openWorkspace();
    const file = join(workspace.home, 'token');
    writeFileSync(file, 'first');
    const running = workspace.start(WATCH, {
      CATALOG_REGISTRY: registry.url,
      CATALOG_IDENTITY_PROVIDER: 'injected-session-token',
      CATALOG_SESSION_TOKEN_FILE: file,
    });
    await running.waitFor('stderr', /Watching http/);
    expect(bearers).toEqual(['Bearer first']);
    writeFileSync(file, 'another one');
    (await stream()).destroy();
    await until('the next subscription', () => bearers.length === 2);
    expect(bearers[1]).toBe('Bearer another one');
  });

  verifies(
    'WATCH-15',
    'receives events of hidden artifacts, and installs only visible ones',
    async () => {
      const provider = await startOidcProvider();
      const { env } = await openPlace(provider);
      const admin = openWorkspace(skill('team/secret'));
      await signIn(admin, provider, env, 'alice');
      const workspace = openWorkspace();
      await signIn(workspace, provider, env, 'bob');
      const running = workspace.start(WATCH, env);
      await running.waitFor('stderr', /Watching http/);
      const runs = (): number => running.output().stdout.split('\n').length - 1;
      expect(runs()).toBe(1);
      expect(running.output().stderr).not.toContain('returned 403');

      const placed = join(workspace.root, '.harness-a/skills/secret/SKILL.md');
      await admin.ok(`layer register team --local-path ${admin.registry} --user alice`, env);
      await until('a run for what happened in the layer of alice', () => runs() > 1);
      expect(existsSync(placed)).toBe(false);

      await admin.ok('layer update team --user alice --user bob', env);
      await until('what bob may see now', () => existsSync(placed));
      await admin.ok('layer update team --user alice', env);
      await until('nothing that he may not', () => !existsSync(placed));
    },
  );

  test('continues with a new token after the first one has expired', async () => {
    const provider = await startOidcProvider({ token_seconds: 25 });
    const { env } = await openPlace(provider);
    const workspace = openWorkspace();
    await signIn(workspace, provider, env, 'bob');
    const running = workspace.start(WATCH, env);
    await running.waitFor('stderr', /Watching http/);
    // A token is refreshed thirty seconds before its expiry, so these are refreshed at every use.
    const admin = openWorkspace(skill('team/open'));
    await signIn(admin, provider, env, 'alice');
    await admin.ok(`layer register team --local-path ${admin.registry} --organization`, env);
    const placed = join(workspace.root, '.harness-a/skills/open/SKILL.md');
    await until('the layer', () => existsSync(placed));
    const grants = provider.exchanges.map((form) => form.get('grant_type'));
    expect(grants.filter((grant) => grant === 'refresh_token').length).toBeGreaterThan(1);
    expect(running.output().stderr).not.toContain('error');
  });
});
