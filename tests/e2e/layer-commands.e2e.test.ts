import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listLayers } from '@catalog/contract/endpoints/layers';
import type { Layer } from '@catalog/contract/records/layer';
import { startProxy } from '@catalog/testkit/recording-proxy';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { startFakeServer } from '@catalog/testkit/fake-server';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { openWorkspace, OPS, skill, type Workspace } from './workspace.ts';

interface Place extends Workspace {
  server: RegistryServer;
  at: string;
  layer(id: string): Promise<Layer | undefined>;
}

async function openPlace(): Promise<Place> {
  const server = await startRegistry();
  const workspace = openWorkspace();
  return {
    ...workspace,
    server,
    at: `--registry ${server.url}`,
    layer: async (id) => {
      const { layers } = await server.call(listLayers);
      return layers.find((layer) => layer.id === id);
    },
  };
}

describe('catalog layer', () => {
  verifies('CLI-14', 'register creates a layer and waits for its first ingest', async () => {
    const place = await openPlace();
    writeTree(place.root, { 'artifacts/a/one/SKILL.md': skillText('one') });
    const { stdout } = await place.ok(
      `layer register base --local-path artifacts --group ops --group dev --user ada ${place.at}`,
    );
    expect(stdout).toContain(`Registered base from ${join(place.root, 'artifacts')}`);
    expect(stdout).toContain('base: 1 new, 0 unchanged, 0 removed');
    expect(await place.layer('base')).toMatchObject({
      source_type: 'local',
      local_path: join(place.root, 'artifacts'),
      user_defined: false,
      groups: ['ops', 'dev'],
      users: ['ada'],
    });
  });

  test('register reports rejected artifacts with their files and fixes, with exit code 1', async () => {
    const place = await openPlace();
    writeTree(place.root, {
      'artifacts/a/one/SKILL.md': skillText('one'),
      'artifacts/a/bad/ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
    });
    const { code, stdout } = await place.run(
      `layer register base --local-path artifacts ${place.at}`,
    );
    expect(stdout).toMatch(
      /The registry at \S+ reports:\n {2}rejected a\/bad: ".*"\n {4}a\/bad\/ARTIFACT\.md:\d+: ".*"\n/,
    );
    expect(code).toBe(1);
    const { document } = await place.json(`layer reingest base ${place.at}`);
    expect(document).toMatchObject({ layer: 'base', ingest: { state: 'done' } });
  });

  test('register of a repository shows the webhook secret once', async () => {
    const place = await openPlace();
    const repo = 'https://git.example.test/team.git';
    const { stdout } = await place.ok(
      `layer register team --repo ${repo} --ref main --git-provider gitlab --public --no-wait ${place.at}`,
    );
    expect(stdout).toMatch(/git host {2}gitlab\n/);
    expect(stdout).toMatch(/webhook {3}http\S+\/v1\/ingest\/webhook\/team/);
    expect(stdout).toMatch(/secret {4}\S{20,} {2}\(shown once\)/);
    expect(stdout).toContain('`catalog layer ingests team`');
    expect(await place.layer('team')).toMatchObject({
      source_type: 'git',
      repo,
      ref: 'main',
      git_provider: 'git-host-b',
      public: true,
    });
    const stored = await place.ok(
      `layer register old --repo ${repo} --git-provider git-host-c --public --no-wait ${place.at}`,
    );
    expect(stored.stdout).toMatch(/git host {2}bitbucket\n/);
    const { error } = await place.error(
      `layer register odd --repo ${repo} --git-provider gitea ${place.at}`,
    );
    expect(error.message).toBe(
      'Invalid value gitea for --git-provider. Accepted: github, gitlab, bitbucket.',
    );
  });

  test('register needs exactly one source', async () => {
    const place = await openPlace();
    const none = await place.error(`layer register base ${place.at}`);
    expect(none).toMatchObject({ code: 2, error: { code: 'config.usage' } });
    const both = await place.error(`layer register base --repo x --local-path y ${place.at}`);
    expect(both.error.message).toContain('cannot be used together');
  });

  verifies('CLI-16', 'list shows the layers in the order of composition', async () => {
    const place = await openPlace();
    const empty = await place.ok(`layer list ${place.at}`);
    expect(empty.stdout).toContain('`catalog layer register base --local-path ./artifacts`');
    await place.server.ingest(skill('a/one'), { id: 'base' });
    await place.server.ingest(skill('b/one'), { id: 'team', public: true });
    const { stdout } = await place.ok(`layer list ${place.at}`);
    const [header = '', first = '', second = ''] = stdout.split('\n');
    expect(header).toMatch(/^order +layer +source +visible to +last ingest$/);
    expect(first).toMatch(/^10 +base .* organization +\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    expect(second).toMatch(/^20 +team .* everyone/);
    const { document } = await place.json(`layer list ${place.at}`);
    expect(document).toEqual(await place.server.call(listLayers));
  });

  verifies('CLI-15', 'update patches a layer', async () => {
    const place = await openPlace();
    await place.server.ingest(skill('a/one'), { id: 'base', organization: true });
    await place.ok(`layer update base --public --root a --force-push-policy strict ${place.at}`);
    expect(await place.layer('base')).toMatchObject({
      public: true,
      organization: true,
      root: 'a',
      force_push_policy: 'strict',
    });
    const nothing = await place.error(`layer update base ${place.at}`);
    expect(nothing).toMatchObject({ code: 2, error: { code: 'config.usage' } });
    const unknown = await place.error(`layer update nobody --public ${place.at}`);
    expect(unknown).toMatchObject({ code: 1, error: { code: 'registry.not_found' } });
  });

  async function bodyOf(place: Place, flags: string): Promise<unknown> {
    const proxy = await startProxy(place.server.url);
    await place.ok(`layer update base ${flags} --registry ${proxy.url}`);
    expect(proxy.requests.map(({ path }) => path)).toEqual(['/v1/layers/update?id=base']);
    return JSON.parse(proxy.requests[0]?.body ?? '');
  }

  verifies(
    ['CLI-23', 'CLI-24', 'CLI-25', 'CLI-26', 'CLI-29'],
    'update sends exactly the given flags, including withdrawn visibility, cleared lists and repeated values',
    async () => {
      const place = await openPlace();
      const visible = { public: true, organization: true, groups: ['a'], users: ['b'] };
      await place.server.ingest(skill('a/one'), { id: 'base', ...visible });
      expect(await bodyOf(place, '--public=false')).toEqual({ public: false });
      expect(await bodyOf(place, '--organization=false')).toEqual({ organization: false });
      expect(await place.layer('base')).toMatchObject({ public: false, organization: false });
      expect(await bodyOf(place, '--group x --group y --user u --user v')).toEqual({
        groups: ['x', 'y'],
        users: ['u', 'v'],
      });
      expect(await bodyOf(place, '--clear-groups')).toEqual({ groups: [] });
      expect(await place.layer('base')).toMatchObject({ groups: null, users: ['u', 'v'] });
      expect(await bodyOf(place, '--clear-users')).toEqual({ users: [] });
      expect(await place.layer('base')).toMatchObject({ users: null });
    },
  );

  verifies(
    ['CLI-27', 'CLI-28'],
    'update rejects clearing and setting a list together, without sending a request',
    async () => {
      const registry = await startFakeServer((_, response) => void response.end());
      const { error } = openWorkspace();
      for (const flags of ['--clear-groups --group x', '--clear-users --user x']) {
        const refused = await error(`layer update base ${flags} --registry ${registry.url}`);
        expect(refused).toMatchObject({ code: 2, error: { code: 'config.usage' } });
      }
      expect(registry.requests).toEqual([]);
    },
  );

  test('rotate-webhook-secret shows the new secret', async () => {
    const place = await openPlace();
    await place.ok(
      `layer register team --repo https://git.example.test/team.git --no-wait ${place.at}`,
    );
    const { stdout } = await place.ok(`layer update team --rotate-webhook-secret ${place.at}`);
    expect(stdout).toMatch(/secret \S{20,} {2}\(shown once\)/);
  });

  test('removes, restores and reorders layers', async () => {
    const place = await openPlace();
    await place.server.ingest(skill('a/one'), { id: 'base' });
    await place.server.ingest(skill('b/one'), { id: 'team' });
    const removed = await place.ok(`layer remove base ${place.at}`);
    expect(removed.stdout).toContain('`catalog layer restore base`');
    expect(await place.layer('base')).toBeUndefined();
    const deleted = await place.ok(`layer list --deleted ${place.at}`);
    expect(deleted.stdout).toMatch(/ base /);
    await place.ok(`layer restore base ${place.at}`);
    const { stdout } = await place.ok(`layer reorder team base ${place.at}`);
    expect(stdout).toMatch(/^10 +team[^]*\n20 +base/m);
    const { error } = await place.error(`layer reorder team nobody ${place.at}`);
    expect(error.code).toBe('registry.invalid_argument');
    await place.ok(`layer remove base ${place.at}`);
    writeTree(place.root, { 'other/c/one/SKILL.md': skillText('one') });
    const again = await place.ok(`layer register base --local-path other ${place.at}`);
    expect(again.stdout).toContain('Exact pins load 1 version of the removed layer again.');
  });

  test('reingest reports the result of a new ingest, and ingests lists it', async () => {
    const place = await openPlace();
    writeTree(place.root, { 'artifacts/a/one/SKILL.md': skillText('one') });
    await place.ok(`layer register base --local-path artifacts ${place.at}`);
    writeTree(place.root, { 'artifacts/a/two/SKILL.md': skillText('two') });
    const { stdout } = await place.ok(`layer reingest base ${place.at}`);
    expect(stdout).toMatch(/^base: [01] new, [12] unchanged, 0 removed\n/);
    const past = await place.ok(`layer ingests base ${place.at}`);
    expect(past.stdout).toMatch(/Before\n[^]* register +1 new, 0 unchanged, 0 removed, 0 rejected/);
    const { document } = await place.json(`layer reingest base --no-wait ${place.at}`);
    expect(document).toEqual({ job: expect.any(String), layer: 'base' });
  });

  test('rejects a folder as the registry', async () => {
    const workspace = openWorkspace(OPS);
    const { code, error } = await workspace.error(`layer list --registry ${workspace.registry}`);
    expect(code).toBe(2);
    expect(error.suggested_action).toContain('catalog serve --layer-path');
  });
});

function skillText(name: string): string {
  return `---\nname: ${name}\ndescription: Do what ${name} is for.\n---\nDo it.\n`;
}
