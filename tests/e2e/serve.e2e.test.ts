import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import { peerFingerprint } from '@catalog/testkit/peer-fingerprint';
import type { RunningCatalog } from '@catalog/testkit/packed-program';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { hasTerminal, runInTerminal } from './terminal.ts';
import { until } from './until.ts';
import { acquireDefaultPort, DEFAULT_PORT_TIMEOUT_MS } from './default-port.ts';
import { OPS, openWorkspace, skill, type Workspace } from './workspace.ts';

const FREE_PORT = '--bind 127.0.0.1:0';

const USUAL_PORT = { timeout: DEFAULT_PORT_TIMEOUT_MS };

interface Served {
  running: RunningCatalog;
  url: string;
  start: Record<string, unknown>;
}

async function serve(workspace: Workspace, flags: string = FREE_PORT): Promise<Served> {
  const running = workspace.start(`serve --json ${flags}`);
  const [line] = await running.waitFor('stdout', /^\{.*\}$/m);
  const start: Record<string, unknown> = JSON.parse(line);
  return { running, url: String(start['url']), start };
}

async function get(url: string, path: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url + path);
  return { status: answer.status, body: await answer.json() };
}

function logOf(running: RunningCatalog): Record<string, unknown>[] {
  const lines = running
    .output()
    .stderr.split('\n')
    .filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line));
}

async function ingested(running: RunningCatalog): Promise<void> {
  await until('the first ingest', () => logOf(running).find(({ msg }) => msg === 'ingest done'));
}

async function stop({ running }: Served): Promise<number | null> {
  running.signal('SIGTERM');
  return (await running.ended).code;
}

describe('catalog serve', () => {
  verifies('CLI-09', 'runs a registry that serves a folder until it is stopped', async () => {
    const workspace = openWorkspace(OPS);
    const served = await serve(workspace, `${FREE_PORT} --layer-path ${workspace.registry}`);
    expect(await get(served.url, '/readyz')).toMatchObject({
      status: 200,
      body: { mode: 'ready' },
    });
    expect(served.start).toMatchObject({
      public_mode: false,
      layers: [{ id: 'registry', source_type: 'local', source: workspace.registry }],
    });
    await ingested(served.running);
    const loaded = await get(served.url, '/v1/load_artifact?id=ops/deploy/check');
    expect(loaded.body).toMatchObject({ id: 'ops/deploy/check', layer: 'registry' });
    expect(await stop(served)).toBe(0);
  });

  test('prints its type, URL, access and the next command', async () => {
    const workspace = openWorkspace(OPS);
    const running = workspace.start(`serve ${FREE_PORT} --layer-path ${workspace.registry}`);
    await running.waitFor('stdout', /Next: .*\n/);
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(running.output().stdout) ?? [];
    expect(running.output().stdout).toBe(
      [
        'catalog 0.4.0 registry server is running',
        `  URL     ${url}`,
        '  mode    open: no identity provider; reachable from this machine only',
        '  layers  registry',
        '  store   ~/.catalog/standalone/catalog.db',
        '',
        `Next: catalog search --registry ${url}, in another terminal. To stop the server, press Ctrl-C.`,
        '',
      ].join('\n'),
    );
  });

  test.each([
    [
      'CATALOG_PUBLIC_URL=https://catalog.example.com',
      'https://catalog.example.com can read everything',
    ],
    ['CATALOG_TRUSTED_PROXIES=127.0.0.1', 'the proxy at 127.0.0.1 can read everything'],
  ])('shows who can access the registry with %s', async (setting, shown) => {
    const workspace = openWorkspace();
    const [name = '', value = ''] = setting.split('=');
    const env = { CATALOG_OPEN_WRITES: 'deny', [name]: value };
    const running = workspace.start(`serve ${FREE_PORT}`, env);
    await running.waitFor('stdout', /Next: .*\n/);
    expect(running.output().stdout).toContain(
      `open: no identity provider; anyone who can reach ${shown}\n`,
    );
  });

  test.skipIf(!hasTerminal)(
    'prints a readable log in a terminal, and stops on Ctrl-C',
    async () => {
      const workspace = openWorkspace({ ...skill('a/one'), 'a/bad/ARTIFACT.md': 'nothing' });
      const { screen, code } = await runInTerminal(
        `serve ${FREE_PORT} --layer-path ${workspace.registry}`,
        [{ to: /artifact rejected/, keys: '\u0003' }],
        { cwd: workspace.root, home: workspace.home },
      );
      expect(code).toBe(0);
      expect(screen).toMatch(/\d\d:\d\d:\d\d ingest done layer=registry .*accepted=1 .*rejected=1/);
      expect(screen).toMatch(/warn: artifact rejected layer=registry artifact=a\/bad/);
      expect(screen).toMatch(/stopping: .*\r\n.*stopped/s);
    },
    30_000,
  );

  verifies(
    'CLI-10',
    'writes itself to the user file once, and never changes an existing file',
    async () => {
      await acquireDefaultPort();
      const workspace = openWorkspace();
      const file = join(workspace.home, '.catalog/sync.yaml');
      const first = await serve(workspace, '--layer-path .');
      expect(first.url).toBe('http://127.0.0.1:8080');
      expect(readFileSync(file, 'utf8')).toContain(
        'defaults:\n  registry: http://127.0.0.1:8080\n',
      );
      expect(first.start).toMatchObject({ wrote: file, next: 'catalog search' });
      const { document } = await workspace.json('config show --explain defaults.registry');
      expect(document).toMatchObject({ value: 'http://127.0.0.1:8080' });
      expect(await stop(first)).toBe(0);

      const own = 'defaults:\n  registry: ~/mine\n';
      writeTree(workspace.home, { '.catalog/sync.yaml': own });
      const second = await serve(workspace, '--layer-path .');
      expect(readFileSync(file, 'utf8')).toBe(own);
      expect(second.start).toMatchObject({
        wrote: null,
        next: 'catalog search --registry http://127.0.0.1:8080',
      });
    },
    USUAL_PORT,
  );

  test('continues if the file cannot be written', USUAL_PORT, async () => {
    await acquireDefaultPort();
    const workspace = openWorkspace();
    writeTree(workspace.root, { file: '', 'registry.yaml': '' });
    const running = workspace.start('serve --json --config registry.yaml', {
      HOME: join(workspace.root, 'file/home'),
      CATALOG_SQLITE_PATH: join(workspace.root, 'catalog.db'),
      CATALOG_FILESYSTEM_ROOT: join(workspace.root, 'objects'),
    });
    await running.waitFor('stdout', /"url":"http:/);
    expect(running.output().stderr).toMatch(/note: .*sync\.yaml cannot be written/);
  });

  test('continues if the reader of its log exits', async () => {
    const workspace = openWorkspace();
    const served = await serve(workspace);
    served.running.closeOutput('stderr');
    for (let index = 0; index < 5; index += 1) {
      expect(await get(served.url, '/v1/layers')).toMatchObject({ status: 200 });
    }
    expect(await stop(served)).toBe(0);
  });

  test('writes no file with another bind address', async () => {
    const workspace = openWorkspace();
    await serve(workspace);
    expect(existsSync(join(workspace.home, '.catalog/sync.yaml'))).toBe(false);
  });

  test(
    'serves a folder so that search, show and sync work from another folder',
    USUAL_PORT,
    async () => {
      await acquireDefaultPort();
      const workspace = openWorkspace({}, { ...OPS });
      const served = await serve(workspace, '--layer-path .');
      await ingested(served.running);
      const found = await workspace.ok('search release before it ships');
      expect(found.stdout).toContain('ops/deploy/check');
      const shown = await workspace.ok('show ops/deploy/check');
      expect(shown.stdout).toContain('Verify a release before it ships.');
      await workspace.ok('sync --harness harness-a --target out');
      const delivered = join(workspace.root, 'out/.harness-a/skills/check/SKILL.md');
      expect(readFileSync(delivered, 'utf8')).toBe(OPS['ops/deploy/check/SKILL.md']);

      writeTree(workspace.root, {
        'ops/ref/terms/ARTIFACT.md':
          '---\ntype: context\nname: terms\nversion: 1.1.0\ndescription: Words.\n---\nNew words.\n',
      });
      await until('the edit', () =>
        logOf(served.running).find(
          ({ trigger, accepted }) => trigger === 'files' && accepted === 1,
        ),
      );
      const { body } = await get(served.url, '/v1/load_artifact?id=ops/ref/terms');
      expect(body).toMatchObject({ version: '1.1.0' });
    },
  );
});

describe('catalog serve at startup', () => {
  verifies('ERR-14', 'rejects public mode on a public address', async () => {
    const workspace = openWorkspace();
    const refused = await workspace.error('serve --public-mode --bind 0.0.0.0:0');
    expect(refused).toMatchObject({
      code: 2,
      error: { code: 'config.public_bind_refused', details: { bind: '0.0.0.0:0' } },
    });
    // A registry without an identity provider is rejected too (SPEC-2), unless the operator allows
    // it.
    const open = await workspace.error('serve --bind 0.0.0.0:0');
    expect(open.error.code).toBe('config.public_bind_refused');
    // The operator must also configure if callers may write (SPEC-76).
    const flags = '--public-mode --bind 0.0.0.0:0 --allow-public-bind';
    const withoutOpenWrites = await workspace.error(`serve ${flags}`);
    expect(withoutOpenWrites).toMatchObject({
      code: 2,
      error: { code: 'config.public_bind_refused' },
    });
    expect(withoutOpenWrites.error.message).toContain('open_writes');
    writeTree(workspace.home, { '.catalog/registry.yaml': 'registry:\n  open_writes: deny\n' });
    const allowed = await serve(workspace, flags);
    expect(await get(allowed.url, '/healthz')).toMatchObject({ body: { mode: 'public' } });
    const layer = { id: 'theirs', source_type: 'local', local_path: workspace.home };
    const written = await fetch(new URL('/v1/layers', allowed.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(layer),
    });
    expect(written.status).toBe(403);
    expect(await written.json()).toMatchObject({ code: 'auth.forbidden' });
  });

  verifies('ERR-34', 'rejects a minimum version above its own', async () => {
    const workspace = openWorkspace();
    writeTree(workspace.home, {
      '.catalog/registry.yaml': 'registry:\n  min_server_version: 99.0.0\n',
    });
    expect(await workspace.error(`serve ${FREE_PORT}`)).toMatchObject({
      code: 2,
      error: {
        code: 'config.server_version_too_old',
        details: { min_server_version: '99.0.0', version: '0.4.0' },
      },
    });
  });

  verifies('ERR-35', 'rejects a minimum version that is not a version', async () => {
    const workspace = openWorkspace();
    writeTree(workspace.home, {
      '.catalog/registry.yaml': 'registry:\n  min_server_version: soon\n',
    });
    expect(await workspace.error(`serve ${FREE_PORT}`)).toMatchObject({
      code: 2,
      error: { code: 'config.invalid_min_version', details: { min_server_version: 'soon' } },
    });
  });

  test.each([
    ['registry:\n  bindd: x\n', { key: 'registry.bindd', line: 2, did_you_mean: 'bind' }],
    ['registry:\n  tracing: {}\n', { line: 2 }],
  ])('rejects %j with its position', async (text, details) => {
    const workspace = openWorkspace();
    writeTree(workspace.root, { 'r.yaml': text });
    const { code, error } = await workspace.error(`serve ${FREE_PORT} --config r.yaml`);
    expect([code, error.code]).toEqual([2, 'config.invalid']);
    expect(error.details).toMatchObject({ ...details, file: join(workspace.root, 'r.yaml') });
  });

  test('rejects a missing configuration file and a missing folder', async () => {
    const workspace = openWorkspace();
    const gone = await workspace.error(`serve ${FREE_PORT} --config gone.yaml`);
    expect(gone.error.code).toBe('config.not_found');
    const folder = await workspace.error(`serve ${FREE_PORT} --layer-path nowhere`);
    expect(folder.error).toMatchObject({ code: 'config.invalid', details: { key: 'layer_path' } });
  });

  test('reports a port in use and an alternative', async () => {
    const one = openWorkspace();
    const { url } = await serve(one);
    const two = openWorkspace();
    const { error } = await two.error(`serve --bind ${new URL(url).host}`);
    expect(error).toMatchObject({ code: 'config.invalid', details: { key: 'bind' } });
    expect(error.suggested_action).toContain('--bind');
  });

  test('rejects a second process with the same store, and the first continues', async () => {
    const workspace = openWorkspace(skill('a/one'));
    const first = await serve(workspace, `${FREE_PORT} --layer-path ${workspace.registry}`);
    const { code, error } = await workspace.error(`serve ${FREE_PORT}`);
    expect([code, error.code]).toEqual([2, 'config.invalid']);
    expect(error.message).toMatch(/catalog\.db is in use by another registry \(process \d+\)/);
    expect(error.suggested_action).toContain('Stop the other registry');
    expect(await get(first.url, '/readyz')).toMatchObject({ status: 200 });
    expect(await stop(first)).toBe(0);
    expect(await stop(await serve(workspace))).toBe(0);
  });
});

describe('SIGHUP', () => {
  test('reloads the certificate and the log level, keeps the previous value of invalid ones, and continues to serve', async () => {
    const workspace = openWorkspace();
    const authority = await createCertificateAuthority();
    const { cert_file, key_file } = await authority.issueFiles(workspace.root);
    const configure = (level: string): void => {
      const tls = `tls: {cert: ${cert_file}, key: ${key_file}}`;
      const text = `registry:\n  bind: 127.0.0.1:0\n  ${tls}\n  log: {level: ${level}}\n`;
      writeTree(workspace.root, { 'registry.yaml': text });
    };
    configure('info');
    const served = await serve(workspace, '--config registry.yaml');
    const { running, url } = served;
    const first = await peerFingerprint(url);

    const second = await authority.issueFiles(workspace.root);
    configure('debug');
    running.signal('SIGHUP');
    await running.waitFor('stderr', /"log_level":"debug","msg":"reloaded the log level"/);
    const [reloaded = ''] = /^.*reloaded the log level.*$/m.exec(running.output().stderr) ?? [];
    expect(reloaded.match(/"level":/g)).toHaveLength(1);
    await running.waitFor('stderr', /reloaded the TLS certificate/);
    const renewed = new X509Certificate(readFileSync(second.cert_file)).fingerprint256;
    expect(await peerFingerprint(url)).toBe(renewed);
    expect(renewed).not.toBe(first);

    writeTree(workspace.root, { 'localhost.cert.pem': 'nothing' });
    configure('loud');
    running.signal('SIGHUP');
    await running.waitFor('stderr', /failed to reload the log level; keeping the current one/);
    await running.waitFor(
      'stderr',
      /failed to reload the TLS certificate; keeping the current one/,
    );
    expect(await peerFingerprint(url)).toBe(renewed);
    expect(await stop(served)).toBe(0);
  });
});

describe('catalog serve on SIGTERM', () => {
  test('completes requests in progress, closes streams, and exits with 0', async () => {
    const workspace = openWorkspace(OPS);
    const served = await serve(workspace, `${FREE_PORT} --layer-path ${workspace.registry}`);
    await ingested(served.running);
    const stream = await fetch(`${served.url}/v1/events`);
    const waiting = fetch(`${served.url}/v1/layers/reingest?id=registry`, { method: 'POST' });
    await get(served.url, '/healthz');
    served.running.signal('SIGTERM');
    const answer = await waiting;
    const body: unknown = await answer.json();
    // The ingest has completed, or resumes after the next start; the response reports which.
    if (answer.status === 200) expect(body).toMatchObject({ layer: 'registry', idempotent: 7 });
    else expect(body).toMatchObject({ code: 'registry.unavailable', retryable: true });
    await stream.text();
    const { code } = await served.running.ended;
    expect(code).toBe(0);
    const messages = logOf(served.running).map(({ msg }) => String(msg));
    expect(messages).toContainEqual(expect.stringMatching(/^stopping/));
    expect(messages.at(-1)).toBe('stopped');
  });

  test('waits for an open connection, and exits immediately on a second signal', async () => {
    const workspace = openWorkspace();
    const served = await serve(workspace);
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      'POST /v1/layers/reorder HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n',
    );
    await get(served.url, '/healthz');
    served.running.signal('SIGTERM');
    await served.running.waitFor('stderr', /"msg":"stopping/);
    served.running.signal('SIGTERM');
    expect((await served.running.ended).code).toBe(143);
  });

  test('loses no acknowledged write', async () => {
    const workspace = openWorkspace(skill('a/one'));
    const flags = `${FREE_PORT} --layer-path ${workspace.registry}`;
    const first = await serve(workspace, flags);
    await ingested(first.running);
    await stop(first);
    const second = await serve(workspace);
    expect(second.start).toMatchObject({ layers: [{ id: 'registry' }] });
    expect(await get(second.url, '/v1/load_artifact?id=a/one')).toMatchObject({ status: 200 });
  });
});

describe('settings of catalog serve', () => {
  verifies(
    'CLI-19',
    'are printed with their origin and without secrets by config show --server',
    async () => {
      const workspace = openWorkspace();
      writeTree(workspace.home, {
        '.catalog/registry.yaml':
          'registry:\n  bind: 127.0.0.1:9000\n  git:\n    credentials:\n      - {host: git.example.com, username: bot, password: "${TOKEN}"}\n',
      });
      const env = { TOKEN: 'hush', CATALOG_LAYER_RECOVERY_DAYS: '7' };
      const { code, document } = await workspace.json('config show --server', env);
      expect(code).toBe(0);
      const file = join(workspace.home, '.catalog/registry.yaml');
      expect(document).toMatchObject({ file });
      expect(document['values']).toEqual(
        expect.arrayContaining([
          { key: 'bind', value: '127.0.0.1:9000', origin: { kind: 'file', name: file, line: 2 } },
          {
            key: 'layer_recovery_days',
            value: 7,
            origin: { kind: 'env', name: 'CATALOG_LAYER_RECOVERY_DAYS' },
          },
          {
            key: 'metrics',
            value: true,
            origin: { kind: 'built-in', name: 'built-in default' },
          },
          expect.objectContaining({
            key: 'git.credentials',
            value: [{ host: 'git.example.com', username: 'bot', password: '***' }],
          }),
        ]),
      );
      const people = await workspace.ok('config show --server', env);
      expect(people.stdout).toMatch(/^bind +127\.0\.0\.1:9000 +~\/\.catalog\/registry\.yaml:2$/m);
      expect(people.stdout).toMatch(/^layer_recovery_days +7 +\$CATALOG_LAYER_RECOVERY_DAYS$/m);
      expect(people.stdout + JSON.stringify(document)).not.toContain('hush');
      const explained = await workspace.ok('config show --server --explain registry.bind', env);
      expect(explained.stdout).toContain('Address and port to listen on');
    },
  );

  test('disable vector search with --no-embeddings', async () => {
    const reembed = async (flags: string): Promise<number> => {
      const { url } = await serve(openWorkspace(), flags);
      return (await fetch(`${url}/v1/admin/reembed`, { method: 'POST' })).status;
    };
    expect(await reembed(FREE_PORT)).toBe(200);
    // A registry without a model cannot embed artifacts.
    expect(await reembed(`${FREE_PORT} --no-embeddings`)).toBe(400);
  });

  test('include the management listener, whose URL is printed', async () => {
    const running = openWorkspace().start(`serve ${FREE_PORT}`, {
      CATALOG_MANAGEMENT_BIND: '127.0.0.1:0',
    });
    const [, url = ''] = await running.waitFor('stdout', /^ +management +(http:\S+)$/m);
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
  });

  test('are read from environment variables', async () => {
    const workspace = openWorkspace();
    const running = workspace.start(`serve --json ${FREE_PORT}`, {
      CATALOG_METRICS: 'false',
      CATALOG_ACCESS_LOG: 'false',
      CATALOG_PUBLIC_MODE: 'true',
    });
    const [line] = await running.waitFor('stdout', /^\{.*\}$/m);
    const url = String(JSON.parse(line).url);
    expect(await get(url, '/metrics')).toMatchObject({ status: 404 });
    expect(await get(url, '/healthz')).toMatchObject({ body: { mode: 'public' } });
    expect(logOf(running).filter(({ msg }) => msg === 'request')).toEqual([]);
  });
});
