import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { GitCredential } from '@catalog/core/ports/git-credential';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SourceReading } from '@catalog/core/ports/layer-source';
import { UnresponsiveHost } from '@catalog/core/ports/unresponsive-host';
import { createGitRepository } from '@catalog/testkit/git-repository';
import { startGitServer, type GitServer, type GitServerOptions } from '@catalog/testkit/git-server';
import { gitOptions, openGitSource } from '@catalog/testkit/git-source';
import { CERT, KEY } from '@catalog/testkit/loopback-certificate';
import { layerRecord } from '@catalog/testkit/layer-record';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { GitOptions } from './git-options.ts';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: A rule to read.\n---\nBody.\n';
const LIVE = new AbortController().signal;
const SECRET = 'hunter2-and-more';
const AUTH = { username: 'registry', password: SECRET };

async function openServer(options: GitServerOptions = {}): Promise<GitServer> {
  const server = await startGitServer(temporaryFolder(), options);
  onTestFinished(() => server.close());
  return server;
}

function read(
  layer: Partial<LayerRecord>,
  options: Partial<GitOptions> = {},
  signal = LIVE,
): Promise<SourceReading> {
  const request = { full: false, retry: [] };
  return openGitSource(options).read(1, layerRecord(layer), request, signal);
}

async function refusalOf(reading: Promise<unknown>): Promise<CatalogError> {
  const error = await reading.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof CatalogError)) throw new Error('it was read', { cause: error });
  expect(error.code).toBe('ingest.source_unreachable');
  return error;
}

function idsOf({ snapshot }: SourceReading): string[] {
  return snapshot.packages.map(({ id }) => id);
}

function recordGit(): { search_path: string; listRuns: () => string[] } {
  const folder = temporaryFolder();
  const log = join(folder, 'runs');
  const search_path = process.env['PATH'] ?? '';
  writeFileSync(log, '');
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/sh\necho "$1 $(nice)" >> '${log}'\nPATH='${search_path}' exec git "$@"\n`,
  );
  chmodSync(join(folder, 'git'), 0o755);
  return {
    search_path: `${folder}:${search_path}`,
    listRuns: () => readFileSync(log, 'utf8').trim().split('\n'),
  };
}

describe('ref comparison', () => {
  test('runs git once with a low priority and leaves no repository', async () => {
    const server = await openServer();
    const repository = server.addRepository('team/skills.git');
    const commit = repository.commit({ 'a/ARTIFACT.md': RULE });
    const { search_path, listRuns } = recordGit();
    const folder = temporaryFolder();
    const source = openGitSource({ search_path, folder });
    const layer = layerRecord({ repo: repository.url, ref: 'main' });
    expect(await source.probe(1, layer, LIVE)).toBe(commit);
    const [version = '', ...runs] = listRuns();
    expect(version).toMatch(/^version /);
    const LOWEST = 19;
    expect(runs).toEqual([`ls-remote ${Math.min(LOWEST, getPriority() + 10)}`]);
    expect(readdirSync(folder)).toEqual([]);
    expect(await source.probe(1, { ...layer, ref: 'missing' }, LIVE)).toBeUndefined();
    expect(await source.probe(1, { ...layer, repo: repository.path }, LIVE)).toBe(commit);
  });

  test('compares an annotated tag by its commit, like a read', async () => {
    const server = await openServer();
    const repository = server.addRepository('team.git');
    const commit = repository.commit({ 'a/ARTIFACT.md': RULE });
    repository.tag('v1', commit, true);
    repository.tag('plain', commit);
    const source = openGitSource();
    for (const ref of ['v1', 'refs/tags/v1', 'plain']) {
      const layer = layerRecord({ repo: repository.url, ref });
      const { reference } = await source.read(1, layer, { full: false, retry: [] }, LIVE);
      expect([ref, await source.probe(1, layer, LIVE)]).toEqual([ref, reference]);
    }
  });
});

describe('git source over HTTP', () => {
  test('fetches a push in one request and nothing if nothing changed', async () => {
    const server = await openServer();
    const repository = server.addRepository('team/skills.git');
    repository.commit({ 'a/ARTIFACT.md': RULE, 'b/ARTIFACT.md': RULE });
    const source = openGitSource();
    const layer = layerRecord({ repo: repository.url });
    const request = { full: false, retry: [] };
    const first = await source.read(1, layer, request, LIVE);
    const { source_state } = first;
    expect([first.complete, idsOf(first)]).toEqual([true, ['a', 'b']]);

    server.requests.length = 0;
    await source.read(1, { ...layer, source_state }, request, LIVE);
    const requestLines = server.requests.map((line) => line.replace(/^(\w+).*\//, '$1 '));
    expect(requestLines).toEqual(['GET refs?service=git-upload-pack', 'POST git-upload-pack']);

    repository.commit({ 'b/data': '1' });
    server.requests.length = 0;
    const pushed = await source.read(1, { ...layer, source_state }, request, LIVE);
    expect([pushed.complete, idsOf(pushed)]).toEqual([false, ['b']]);
    expect(server.requests).toHaveLength(3);
  });

  test('reads from a host without filter support', async () => {
    const server = await openServer();
    const repository = server.addRepository('plain.git');
    repository.git('config', 'uploadpack.allowFilter', 'false');
    repository.commit({ 'a/ARTIFACT.md': RULE });
    repository.commit({ 'b/ARTIFACT.md': RULE });
    expect(idsOf(await read({ repo: repository.url }))).toEqual(['a', 'b']);
    expect(idsOf(await read({ repo: repository.url, root: 'b' }))).toEqual(['']);
  });

  test.each(['true', 'false'])(
    'rejects a repository with dangerous objects if allowFilter of its host is %s',
    async (allowFilter) => {
      const server = await openServer();
      const repository = server.addRepository('dangerous.git');
      repository.git('config', 'uploadpack.allowFilter', allowFilter);
      repository.commit({
        'a/ARTIFACT.md': RULE,
        '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=./x\n',
      });
      const { message } = await refusalOf(read({ repo: repository.url }));
      expect(message).toContain('objects that git considers malformed or dangerous');
    },
  );

  test("fetches only the files of the layer's folder", async () => {
    const server = await openServer();
    const repository = server.addRepository('mono.git');
    const noise = Buffer.from(Array.from({ length: 500_000 }, (_, index) => (index * 7919) % 251));
    repository.commit({ 'skills/a/ARTIFACT.md': RULE, 'src/noise.bin': noise });
    const folder = temporaryFolder();
    expect(idsOf(await read({ repo: repository.url, root: 'skills' }, { folder }))).toEqual(['a']);
    const { stdout } = spawnSync('du', ['-sb', folder], { encoding: 'utf8' });
    expect(Number.parseInt(stdout, 10)).toBeLessThan(100_000);
  });

  test('reads a shallow repository of the same host', async () => {
    const deep = createGitRepository(join(temporaryFolder(), 'deep.git'));
    deep.commit({ 'a/ARTIFACT.md': RULE });
    deep.commit({ 'b/ARTIFACT.md': RULE });
    const shallow = join(temporaryFolder(), 'shallow.git');
    deep.git('clone', '--quiet', '--bare', '--depth=1', `file://${deep.path}`, shallow);
    expect(idsOf(await read({ repo: shallow }))).toEqual(['a', 'b']);
    expect(idsOf(await read({ repo: `file://${shallow}` }))).toEqual(['a', 'b']);
  });
});

describe('stored credentials', () => {
  async function privateRepository(): Promise<{
    server: GitServer;
    repo: string;
    valid: GitCredential;
  }> {
    const server = await openServer({ auth: AUTH });
    const repository = server.addRepository('team/skills.git');
    repository.commit({ 'a/ARTIFACT.md': RULE });
    const valid = { scheme: 'http' as const, host: '127.0.0.1', port: server.port, ...AUTH };
    return { server, repo: repository.url, valid };
  }

  test('are used for an admin-defined layer', async () => {
    const { repo, valid } = await privateRepository();
    const credentials = [{ ...valid, path_prefix: '/team' }];
    expect(idsOf(await read({ repo }, { credentials }))).toEqual(['a']);
  });

  test('are used for layers of their tenant only', async () => {
    const { server, repo, valid } = await privateRepository();
    // A credential without a tenant applies to no tenant.
    const credentials = [valid, { ...valid, tenant: 'acme' }];
    const tenants = {
      nameOf: async (tenant: number) => ['', 'acme', 'beta'][tenant],
      isDeclared: () => false,
    };
    const source = openGitSource({ credentials, tenants });
    const layer = layerRecord({ repo });
    const request = { full: false, retry: [] };
    for (const other of [2, 3]) {
      await refusalOf(source.read(other, layer, request, LIVE));
      await refusalOf(source.probe(other, layer, LIVE));
    }
    expect(server.authorizations).toEqual([]);
    expect(await source.probe(1, layer, LIVE)).toMatch(/^[0-9a-f]{40}$/);
    expect(idsOf(await source.read(1, layer, request, LIVE))).toEqual(['a']);
  });

  test.each([
    ['for a personal layer', { user_defined: true }, {}],
    ['to another host', {}, { host: 'localhost' }],
    ['to another port', {}, { port: 80 }],
    ['over http if the entry is for https', {}, { scheme: 'https' as const }],
    ['for another path', {}, { path_prefix: 'other' }],
    ['for a path that only starts with the same letters', {}, { path_prefix: 'tea' }],
    ['for another tenant', {}, { tenant: 'other' }],
  ])('are not sent %s', async (_whose, fields, place) => {
    const { server, repo, valid } = await privateRepository();
    const credentials = [{ ...valid, tenant: 'acme', ...place }];
    const tenants = { nameOf: async () => 'acme', isDeclared: () => false };
    const error = await refusalOf(read({ repo, ...fields }, { credentials, tenants }));
    expect(error.message).toBe('Layer team: its git host denies access.');
    expect(server.authorizations).toEqual([]);
  });

  test('do not appear on command lines, in files or in messages, and the environment is not inherited', async () => {
    const { repo, valid } = await privateRepository();
    const tools = temporaryFolder();
    const log = join(tools, 'log');
    const real = spawnSync('which', ['git'], { encoding: 'utf8' }).stdout.trim();
    const spy = `#!/bin/sh\n{ echo "ARGV $*"; env | sed 's/^/ENV /'; } >> '${log}'\nexec '${real}' "$@"\n`;
    writeFileSync(join(tools, 'git'), spy);
    chmodSync(join(tools, 'git'), 0o755);
    const folder = temporaryFolder();
    const credentials = [valid];
    const search_path = `${tools}:${gitOptions('').search_path}`;
    await read({ repo }, { folder, search_path, credentials });
    const lines = readFileSync(log, 'utf8').split('\n');
    const encoded = Buffer.from(`${AUTH.username}:${SECRET}`).toString('base64');
    const words = lines.filter((line) => line.startsWith('ARGV')).join('\n');
    expect(words).toContain('fetch');
    for (const secret of [SECRET, encoded]) expect(words).not.toContain(secret);
    const kept = spawnSync('grep', ['-r', encoded, folder], { encoding: 'utf8' });
    expect(kept.stdout).toBe('');
    const handed = lines
      .filter((line) => line.startsWith('ENV'))
      .map((line) => /^ENV (\w+)=/.exec(line)?.[1]);
    const known = /^(?:GIT_\w+|PATH|HOME|LC_ALL|PWD|SHLVL|_|OLDPWD)$/;
    expect(handed.filter((name) => name !== undefined && !known.test(name))).toEqual([]);
  });
});

describe('unreadable source', () => {
  test.each([
    ['no such repository', '/missing.git', /no repository exists at its URL/],
    ['no such path', '/srv/none/missing.git', /no repository exists at its URL/],
  ])('is reported for %s', async (_what, path, message) => {
    const server = await openServer();
    const repo = path.startsWith('/srv') ? path : `http://127.0.0.1:${server.port}${path}`;
    const error = await refusalOf(read({ repo }));
    expect(error.message).toMatch(message);
    expect(JSON.stringify(error.toEnvelope())).not.toMatch(/127\.0\.0\.1|srv|missing/);
  });

  test('is reported if the port refuses the connection', async () => {
    const server = await startGitServer(temporaryFolder());
    await server.close();
    const error = await refusalOf(read({ repo: `http://127.0.0.1:${server.port}/a.git` }));
    expect(error.message).toBe('Layer team: its git host did not respond.');
  });

  test('is reported if the host closes the connection without a response', async () => {
    const closing = await listen(createServer(({ socket }) => void socket.end()));
    const error = await refusalOf(read({ repo: `http://127.0.0.1:${closing}/a.git` }));
    expect(error.message).toBe('Layer team: its git host did not respond.');
    expect(error).toBeInstanceOf(UnresponsiveHost);
  });

  test('is reported after the read timeout if the host sends nothing', async () => {
    const silent = await listen(createServer(() => {}));
    const limits = { ...gitOptions('').limits, time_ms: 400 };
    const error = await refusalOf(read({ repo: `http://127.0.0.1:${silent}/a.git` }, { limits }));
    expect(error.message).toContain('took longer');
  });

  test('is reported after the comparison timeout if the host sends data too slowly', async () => {
    const trickling = await listen(
      createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
        const timer = setInterval(() => response.write('0'.repeat(2000)), 100);
        response.on('close', () => clearInterval(timer));
      }),
    );
    const limits = { ...gitOptions('').limits, probe_time_ms: 500 };
    const layer = layerRecord({ repo: `http://127.0.0.1:${trickling}/a.git` });
    const error = await refusalOf(openGitSource({ limits }).probe(1, layer, LIVE));
    expect(error).toBeInstanceOf(UnresponsiveHost);
    expect(error.message).toBe('Layer team: its git host did not respond.');
  });

  test('is reported after the connect timeout if the host drops packets', async () => {
    const port = await dropPackets();
    const limits = { ...gitOptions('').limits, connect_time_ms: 300 };
    const error = await refusalOf(read({ repo: `http://127.0.0.1:${port}/a.git` }, { limits }));
    expect(error).toBeInstanceOf(UnresponsiveHost);
    expect(error.cause).toMatchObject({ message: 'connection timed out' });
  });

  test('is read at another address if one address drops packets', async () => {
    const server = await openServer();
    server.addRepository('a.git').commit({ 'a/ARTIFACT.md': RULE });
    await dropPackets({ host: '127.0.0.2', port: server.port });
    const base = gitOptions('');
    const egress = { ...base.egress, allowed_hosts: ['git.example'] };
    const resolve = async (): Promise<string[]> => ['127.0.0.2', '127.0.0.1'];
    const repo = `http://git.example:${server.port}/a.git`;
    const limits = { ...base.limits, time_ms: 10_000 };
    expect(idsOf(await read({ repo }, { egress, resolve, limits }))).toEqual(['a']);
  });

  test("is canceled with the caller's signal", async () => {
    const silent = await listen(createServer(() => {}));
    const stop = new AbortController();
    const reading = read({ repo: `http://127.0.0.1:${silent}/a.git` }, {}, stop.signal);
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(reading).rejects.toThrow('enough');
  });

  test('is reported if the host redirects', async () => {
    const target = await openServer();
    const repository = target.addRepository('a.git');
    repository.commit({ 'a/ARTIFACT.md': RULE });
    const port = await listen(
      createServer((request, response) => {
        const location = `http://127.0.0.1:${target.port}${request.url}`;
        response.writeHead(302, { location }).end();
      }),
    );
    const error = await refusalOf(read({ repo: `http://127.0.0.1:${port}/a.git` }));
    expect(error.message).toContain('redirects to another URL');
    expect(target.requests).toEqual([]);
  });

  test('is reported if it exceeds the size limit for a layer', async () => {
    const server = await openServer();
    const repository = server.addRepository('a.git');
    repository.commit({ 'a/ARTIFACT.md': RULE, 'a/data': 'x'.repeat(5000) });
    const limits = gitOptions('').limits;
    for (const tight of [{ bytes: 4000 }, { files: 2 }]) {
      const reading = read({ repo: repository.url }, { limits: { ...limits, ...tight } });
      expect((await refusalOf(reading)).message).toContain('exceeds the size limit for a layer');
    }
  });

  test("is reported if git is missing on the registry's host", async () => {
    const error = await refusalOf(read({ repo: '/a' }, { search_path: temporaryFolder() }));
    expect(error.message).toBe('Layer team: git is not installed on the registry host.');
  });
});

describe('egress rules of git sources', () => {
  test.each([
    ['plain http to a host nobody listed', 'http://localhost:PORT/a.git'],
    ['a private address', 'https://127.0.0.1:PORT/a.git'],
    ['a private address in disguise', 'https://2130706433:PORT/a.git'],
    ['a private address in IPv6', 'https://[::ffff:127.0.0.1]:PORT/a.git'],
    ['a name that leads to a private address', 'https://internal.example:PORT/a.git'],
    ['ssh to a private address', 'ssh://git@127.0.0.1:PORT/a.git'],
    ['ssh in its short form', 'git@internal.example:a.git'],
    ['the git protocol', 'git://127.0.0.1:PORT/a.git'],
    ['a password in the address', 'http://user:secret@127.0.0.1:PORT/a.git'],
    ['a command', 'ext::sh -c "curl http://127.0.0.1:PORT"'],
    ['a relative path', '../a.git'],
    ['an option', '--upload-pack=curl http://127.0.0.1:PORT'],
  ])('reject %s', async (_what, repo) => {
    const canary = await openServer();
    canary.addRepository('a.git').commit({ 'a/ARTIFACT.md': RULE });
    const base = gitOptions('');
    const egress = { ...base.egress, allowed_hosts: repo.includes('secret') ? ['127.0.0.1'] : [] };
    const resolve = async (): Promise<string[]> => ['127.0.0.1'];
    const options = { egress, resolve };
    const error = await refusalOf(
      read({ repo: repo.replace('PORT', String(canary.port)) }, options),
    );
    expect(canary.requests).toEqual([]);
    expect(JSON.stringify(error.toEnvelope())).not.toMatch(/secret|127\.0|internal/);
  });

  test('connect to the checked address regardless of later name resolution', async () => {
    const server = await openServer();
    const repository = server.addRepository('a.git');
    repository.commit({ 'a/ARTIFACT.md': RULE });
    const base = gitOptions('');
    const egress = { ...base.egress, allowed_hosts: ['nowhere.invalid'] };
    const resolve = async (): Promise<string[]> => ['127.0.0.1'];
    const repo = `http://nowhere.invalid:${server.port}/a.git`;
    expect(idsOf(await read({ repo }, { egress, resolve }))).toEqual(['a']);
  });

  test('accept IPv4 and IPv6 addresses', async () => {
    const server = await openServer();
    const repository = server.addRepository('a.git');
    repository.commit({ 'a/ARTIFACT.md': RULE });
    const base = gitOptions('');
    const egress = { ...base.egress, allowed_hosts: ['::ffff:7f00:1'] };
    const repo = `http://[::ffff:127.0.0.1]:${server.port}/a.git`;
    expect(idsOf(await read({ repo }, { egress }))).toEqual(['a']);
  });

  test('connect through the proxy', async () => {
    const seen: string[] = [];
    const proxy = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.writeHead(502).end();
    });
    const port = await listen(proxy);
    const base = gitOptions('');
    const address = `http://127.0.0.1:${port}`;
    const egress = {
      ...base.egress,
      allowed_hosts: ['git.example'],
      proxy: { http: address, https: address, except: [] },
    };
    const resolve = async (): Promise<string[]> => [];
    await refusalOf(read({ repo: 'http://git.example/a.git' }, { egress, resolve }));
    expect(seen[0]).toMatch(/^GET http:\/\/git\.example(?::80)?\/a\.git\/info\/refs/);
  });
});

describe('git source behind an HTTPS proxy', () => {
  async function startTunnels(): Promise<{ tunnels: string[]; address: string }> {
    const tunnels: string[] = [];
    const proxy = createServer();
    proxy.on('connect', ({ url = '' }, socket) => {
      tunnels.push(url);
      const onward = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
    });
    return { tunnels, address: `http://127.0.0.1:${await listen(proxy)}` };
  }

  async function serveTls(port: number, wait_ms = 0): Promise<{ port: number; ca_file: string }> {
    const folder = temporaryFolder();
    const ca_file = join(folder, 'ca.pem');
    writeFileSync(ca_file, CERT);
    const server = createTlsServer({ cert: CERT, key: KEY }, (socket) => {
      const onward = connect(port, '127.0.0.1');
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
      socket.pipe(onward);
      setTimeout(() => onward.pipe(socket), wait_ms);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return { port: address.port, ca_file };
  }

  test('sends the checked address to the proxy', async () => {
    const server = await openServer();
    const repository = server.addRepository('a.git');
    repository.commit({ 'a/ARTIFACT.md': RULE });
    const { port, ca_file } = await serveTls(server.port);
    const { tunnels, address } = await startTunnels();
    const egress = {
      allowed_hosts: ['localhost'],
      proxy: { http: undefined, https: address, except: [] },
      ca_file,
    };
    const resolve = async (): Promise<string[]> => ['127.0.0.7'];
    const repo = `https://localhost:${port}/a.git`;
    for (const user_defined of [false, true]) {
      expect(idsOf(await read({ repo, user_defined }, { egress, resolve }))).toEqual(['a']);
    }
    expect(new Set(tunnels)).toEqual(new Set([`127.0.0.7:${port}`]));
  });

  test('does not apply the connect timeout to an open connection', async () => {
    const server = await openServer();
    const repository = server.addRepository('a.git');
    const commit = repository.commit({ 'a/ARTIFACT.md': RULE });
    const { port, ca_file } = await serveTls(server.port, 1500);
    const { address } = await startTunnels();
    const egress = {
      allowed_hosts: ['localhost'],
      proxy: { http: undefined, https: address, except: [] },
      ca_file,
    };
    const limits = { ...gitOptions('').limits, connect_time_ms: 1000 };
    const layer = layerRecord({ repo: `https://localhost:${port}/a.git` });
    expect(await openGitSource({ egress, limits }).probe(1, layer, LIVE)).toBe(commit);
  });

  test('reports an unresponsive host if the proxy fails or does not connect in time', async () => {
    const silent = createServer().on('connect', () => {});
    const failing = createServer().on('connect', (_, socket) => {
      socket.end('HTTP/1.1 504 Gateway Timeout\r\n\r\n');
    });
    for (const proxy of [silent, failing]) {
      const address = `http://127.0.0.1:${await listen(proxy)}`;
      const base = gitOptions('');
      const egress = { ...base.egress, proxy: { http: undefined, https: address, except: [] } };
      const limits = { ...base.limits, connect_time_ms: 300, time_ms: 10_000 };
      const resolve = async (): Promise<string[]> => ['192.0.2.1'];
      const reading = read({ repo: 'https://localhost/a.git' }, { egress, resolve, limits });
      const error = await refusalOf(reading);
      expect(error).toBeInstanceOf(UnresponsiveHost);
      expect(error.message).toBe('Layer team: its git host did not respond.');
    }
  });

  test('rejects a personal layer if its host does not resolve locally', async () => {
    const { tunnels, address } = await startTunnels();
    const base = gitOptions('');
    const egress = { ...base.egress, proxy: { http: undefined, https: address, except: [] } };
    const resolve = async (): Promise<string[]> => [];
    const repo = 'https://git.example/a.git';
    await refusalOf(read({ repo, user_defined: true }, { egress, resolve }));
    expect(tunnels).toEqual([]);
    await refusalOf(read({ repo }, { egress, resolve }));
    expect(tunnels[0]).toBe('git.example:443');
  });

  test("rejects an unresolvable host for a tenant's layer unless the configuration declares it", async () => {
    const { tunnels, address } = await startTunnels();
    const base = gitOptions('');
    const egress = { ...base.egress, proxy: { http: undefined, https: address, except: [] } };
    const resolve = async (): Promise<string[]> => [];
    const nameOf = async (): Promise<string> => 'acme';
    const repo = 'https://git.example/a.git';
    const registered = { nameOf, isDeclared: () => false };
    await refusalOf(read({ repo }, { egress, resolve, tenants: registered }));
    expect(tunnels).toEqual([]);
    const declared = { nameOf, isDeclared: () => true };
    await refusalOf(read({ repo }, { egress, resolve, tenants: declared }));
    expect(tunnels[0]).toBe('git.example:443');
  });
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Starts a listener with a full accept queue, so that the system drops further connections. */
async function dropPackets({ host = '127.0.0.1', port = 0 } = {}): Promise<number> {
  const code = `
    const { workerData, parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer();
    server.listen({ ...workerData, backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      // Blocks the thread, so that it never accepts a connection.
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
    });`;
  const worker = new Worker(code, { eval: true, workerData: { host, port } });
  onTestFinished(async () => void (await worker.terminate()));
  const [listening] = await once(worker, 'message');
  const fillers: Socket[] = [];
  onTestFinished(() => fillers.forEach((socket) => socket.destroy()));
  for (let isOpen = true; isOpen;) {
    const socket = connect({ host, port: listening });
    fillers.push(socket);
    socket.on('error', () => {});
    const opened = once(socket, 'connect').then(() => true);
    isOpen = await Promise.race([opened, delay(500, false)]);
    opened.catch(() => undefined);
  }
  return listening;
}
