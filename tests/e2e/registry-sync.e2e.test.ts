import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startProxy } from '@catalog/testkit/recording-proxy';
import { startRegistry } from '@catalog/testkit/registry-server';
import { startFakeServer } from '@catalog/testkit/fake-server';
import { readTree, writeTree, type FileTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { openWorkspace, OPS, skill } from './workspace.ts';

const MANIFEST = '/v1/sync/manifest';

describe('sync from a server', () => {
  verifies(
    ['DELIV-04', 'ENV-01'],
    'writes the same files from a server as from a folder, in the format of the harness',
    async () => {
      const server = await startRegistry({ layers: { base: OPS } });
      const workspace = openWorkspace(OPS);
      await workspace.ok('sync --harness harness-a', { CATALOG_REGISTRY: server.url });
      const fromServer = readTree(workspace.root, ['.catalog']);
      expect(fromServer['.harness-a/skills/check/SKILL.md']).toContain('Run scripts/check.sh');
      expect(fromServer['.harness-a/skills/check/scripts/check.sh']).toMatch(/^\(x\) /);
      expect(JSON.parse(fromServer['.mcp.json'] ?? '')).toHaveProperty('mcpServers.wh');
      await workspace.ok('sync --remove');
      await workspace.ok('sync --harness harness-a', { CATALOG_REGISTRY: workspace.registry });
      expect(readTree(workspace.root, ['.catalog'])).toEqual(fromServer);
    },
  );

  verifies('SYNC-01', 'loads sixty artifacts in one request', async () => {
    const many: Record<string, FileTree[string]> = {};
    for (let index = 0; index < 60; index += 1) Object.assign(many, skill(`many/s${index}`));
    const server = await startRegistry({ layers: { base: many } });
    const proxy = await startProxy(server.url);
    const workspace = openWorkspace();
    await workspace.ok(`sync --registry ${proxy.url} --harness harness-a`);
    expect(readdirSync(join(workspace.root, '.harness-a/skills'))).toHaveLength(60);
    const paths = proxy.requests.map(({ path }) => path);
    expect(paths.filter((path) => path === MANIFEST)).toHaveLength(1);
    expect(paths).toHaveLength(3);
  });

  test('reports once on stderr that the registry is read-only', async () => {
    const server = await startRegistry({ layers: { base: OPS } });
    const reader = await startFakeServer(async ({ method, path, body, headers }, response) => {
      const answer = await fetch(server.url + path, {
        method,
        headers: { 'content-type': headers['content-type'] ?? 'application/json' },
        ...(body === '' ? {} : { body }),
      });
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        'x-catalog-read-only': 'true',
        'x-catalog-read-only-lag-seconds': '12',
      });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    const workspace = openWorkspace();
    const registry = `--registry ${reader.url} --harness harness-a`;
    const { stderr } = await workspace.ok(`sync ${registry}`);
    const note = 'warning: the registry is read-only; data may be 12 seconds old';
    expect(stderr.split('\n').filter((line) => line === note)).toHaveLength(1);
    expect((await workspace.ok(`status ${registry}`)).stderr).toContain(note);
  });

  verifies('SYNC-02', 'downloads a large file from its URL', async () => {
    const large = Buffer.alloc(300_000, 'large ');
    const server = await startRegistry({
      layers: { base: { ...skill('a/one'), 'a/one/assets/large.bin': large } },
    });
    const workspace = openWorkspace();
    const registry = `--registry ${server.url} --harness harness-a`;
    await workspace.ok(`sync ${registry}`);
    const file = join(workspace.root, '.harness-a/skills/one/assets/large.bin');
    expect(readFileSync(file).equals(large)).toBe(true);
  });

  verifies('ERR-57', 'rejects bytes that were changed in transit, and writes nothing', async () => {
    const server = await startRegistry({ layers: { base: OPS } });
    const proxy = await startProxy(server.url, (_, body) =>
      Buffer.from(body.toString().replace('echo checked', 'echo hacked!')),
    );
    const workspace = openWorkspace();
    const { code, error } = await workspace.error(
      `sync --registry ${proxy.url} --harness harness-a`,
    );
    expect(error).toMatchObject({
      code: 'materialize.content_hash_mismatch',
      details: { artifact_id: 'ops/deploy/check', version: '1.0.0' },
    });
    expect(code).toBe(1);
    expect(readTree(workspace.root, ['.catalog'])).toEqual({});
    expect(existsSync(join(workspace.root, '.catalog/sync.lock'))).toBe(false);
  });

  verifies('ERR-63', 'reports an unavailable server and the next step', async () => {
    const { url, close } = await startFakeServer(() => undefined);
    await close();
    const workspace = openWorkspace();
    for (const command of ['sync', 'outdated', 'search deploy', 'layer list']) {
      const { code, error } = await workspace.error(`${command} --registry ${url}`);
      expect(error, command).toMatchObject({
        code: 'network.registry_unreachable',
        retryable: true,
        details: { registry: url },
        suggested_action: expect.stringContaining('catalog serve'),
      });
      expect(code).toBe(3);
    }
    const status = await workspace.ok(`status --registry ${url}`);
    expect(status.stdout).toContain('A sync would fail');
  });

  test('sends one request and loads nothing if nothing changed', async () => {
    const server = await startRegistry({ layers: { base: OPS } });
    const proxy = await startProxy(server.url);
    const workspace = openWorkspace();
    await workspace.ok(`sync --registry ${proxy.url} --harness harness-a`);
    const known = proxy.requests.length;
    const { stdout } = await workspace.ok(`sync --registry ${proxy.url} --harness harness-a`);
    expect(stdout).toContain('up to date');
    expect(proxy.requests.slice(known).map(({ path }) => path)).toEqual([MANIFEST]);
  });

  test('fails if the registry rejected a selected artifact, and installs the others', async () => {
    const server = await startRegistry({
      layers: { base: { ...skill('a/one'), 'a/bad/ARTIFACT.md': '---\ntype: skill\n' } },
    });
    const workspace = openWorkspace();
    const sync = `sync --registry ${server.url} --harness harness-a`;
    const { code, stdout, stderr } = await workspace.run(sync);
    expect(code).toBe(1);
    expect(stdout).toContain('1 added');
    expect(stderr).toContain(
      `a/bad: The registry at ${server.url} reports: "The frontmatter is not closed."`,
    );
    expect(stderr).toMatch(/next: .*--exclude.*`catalog layer ingests base`/);
    const report = await workspace.ok(`layer ingests base --registry ${server.url}`);
    expect(report.stdout).toContain('rejected a/bad');
    const status = await workspace.ok(`status --registry ${server.url} --harness harness-a`);
    expect(status.stdout).toMatch(/Up to date\n1 artifact .* `catalog layer ingests/);

    const without = await workspace.ok(`${sync} --exclude a/bad`);
    expect(without.stdout).toContain('1 artifact rejected; for details, run');
  });
});

describe('a server with HTTPS', () => {
  test('is trusted only with the certificate of the organization', async () => {
    const workspace = openWorkspace(skill('a/one'));
    const [cert, key] = makeCertificate(workspace.home);
    const serving = workspace.start(
      `serve --json --bind 127.0.0.1:0 --layer-path ${workspace.registry}`,
      { CATALOG_TLS_CERT: cert, CATALOG_TLS_KEY: key },
    );
    const [, port = ''] = await serving.waitFor('stdout', /https:\/\/127\.0\.0\.1:(\d+)/);
    const sync = `sync --registry https://localhost:${port} --harness harness-a`;
    const { error } = await workspace.error(sync);
    expect(error).toMatchObject({
      code: 'network.registry_unreachable',
      message: expect.stringContaining('self-signed certificate'),
      suggested_action: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    const env = { NODE_EXTRA_CA_CERTS: cert };
    await workspace.ok(`layer reingest registry --registry https://localhost:${port}`, env);
    await workspace.ok(sync, env);
    expect(existsSync(join(workspace.root, '.harness-a/skills/one/SKILL.md'))).toBe(true);
  });
});

function makeCertificate(folder: string): [cert: string, key: string] {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', ...curve, ...name, ...files], { stdio: 'ignore' });
  return [cert, key];
}

describe('min_server_version', () => {
  verifies(
    'CFG-04',
    'of a profile is compared with the server, and the harness of the profile is used',
    async () => {
      const server = await startRegistry({ layers: { base: skill('a/one') } });
      const newer = await startProxy(server.url);
      const workspace = openWorkspace(
        {},
        {
          '.catalog/sync.yaml': `defaults: {registry: "${newer.url}"}\nprofiles:\n  strict: {harness: harness-a, min_server_version: 0.4.0}\n  future: {harness: harness-a, min_server_version: 9.0.0}\n`,
        },
      );
      await workspace.ok('sync --profile strict');
      expect(existsSync(join(workspace.root, '.harness-a/skills/one/SKILL.md'))).toBe(true);
      const { code, error } = await workspace.error('sync --profile future');
      expect(error).toMatchObject({
        code: 'config.server_version_too_old',
        details: { min_server_version: '9.0.0' },
      });
      expect(code).toBe(2);
    },
  );

  test.each([
    ['0.3.9', 'config.server_version_too_old', /the registry at \S+ is 0\.3\.9/],
    ['nightly', 'config.invalid_min_version', /reports version nightly/],
  ])('rejects a server that is %s', async (version, code, message) => {
    const old = await startFakeServer((_, response) => {
      response.writeHead(200, { 'x-catalog-server-version': version });
      response.end('{"artifacts":[],"rejected":[]}');
    });
    const workspace = openWorkspace(
      {},
      { '.catalog/sync.yaml': 'profiles:\n  strict: {min_server_version: 0.4.0}\n' },
    );
    const { error } = await workspace.error(`sync --profile strict --registry ${old.url}`);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

describe('the cache', () => {
  verifies(
    'CLI-22',
    'prune removes only the entries that were not used for the given number of days',
    async () => {
      const server = await startRegistry({ layers: { base: skill('a/one') } });
      const proxy = await startProxy(server.url);
      const workspace = openWorkspace();
      const sync = `sync --registry ${proxy.url} --harness harness-a`;
      await workspace.ok(sync);
      const packs = join(workspace.home, '.catalog/cache/packs');
      const [pack = ''] = readdirSync(packs);
      const manifests = join(workspace.home, '.catalog/cache/manifests');
      expect(readdirSync(manifests)).toHaveLength(1);

      await workspace.ok('cache prune --days 7');
      expect(readdirSync(packs)).toEqual([pack]);
      const tenDaysAgo = Date.now() / 1000 - 10 * 24 * 3600;
      utimesSync(join(packs, pack), tenDaysAgo, tenDaysAgo);
      const dry = await workspace.json('cache prune --days 7 --dry-run');
      expect(dry.document).toMatchObject({ removed: { files: 1 }, kept: { files: 1 } });
      expect(readdirSync(packs)).toEqual([pack]);
      await workspace.ok('cache prune --days 7');
      expect(readdirSync(packs)).toEqual([]);
      expect(readdirSync(manifests)).toHaveLength(1);

      const known = proxy.requests.length;
      await workspace.ok('sync --remove');
      await workspace.ok(sync);
      expect(proxy.requests.slice(known).map(({ path }) => path)).toContain(
        '/v1/artifacts:batchLoad',
      );
    },
  );

  test('is in CATALOG_CACHE_DIR, and its size is shown', async () => {
    const server = await startRegistry({ layers: { base: skill('a/one') } });
    const workspace = openWorkspace();
    const env = { CATALOG_CACHE_DIR: 'caches/catalog' };
    await workspace.ok(`sync --registry ${server.url} --harness harness-a`, env);
    const { document } = await workspace.json('cache status', env);
    expect(document).toMatchObject({
      folder: join(workspace.root, 'caches/catalog'),
      packs: { files: 1 },
      blobs: { files: 0 },
      manifests: { files: 1 },
    });
    expect(existsSync(join(workspace.home, '.catalog/cache'))).toBe(false);
    expect((await workspace.ok('cache status', env)).stdout).toContain('caches/catalog  ');
  });

  test('does not fail a sync if it cannot be written', async () => {
    const server = await startRegistry({ layers: { base: skill('a/one') } });
    const workspace = openWorkspace();
    writeTree(workspace.home, { file: 'In the way.' });
    const env = { CATALOG_CACHE_DIR: join(workspace.home, 'file') };
    await workspace.ok(`sync --registry ${server.url} --harness harness-a`, env);
    expect(existsSync(join(workspace.root, '.harness-a/skills/one/SKILL.md'))).toBe(true);
  });
});
