import { createHash } from 'node:crypto';
import { batchLoad, loadArtifact, listVersions } from '@catalog/contract/endpoints/materialization';
import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import { asCaller, asAnonymous, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { OBJECTS_IN_A_FOLDER } from '@catalog/testkit/test-backend';
import type { FileTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../config/settings.ts';
import { verifies } from '@catalog/testkit/verifies';

function rule(version: string, more = '', body = 'Do it.\n'): string {
  return `---\ntype: rule\nname: a\nversion: ${version}\ndescription: What to do about releases.\n${more}---\n${body}`;
}

async function serve(files: FileTree, settings: Partial<Settings> = {}): Promise<RegistryServer> {
  const server = await startRegistry({ settings });
  await server.ingest(files);
  return server;
}

function sha256(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

verifies(
  [
    'LOAD-01',
    'ART-01',
    'ART-02',
    'ART-03',
    'ART-04',
    'ART-05',
    'ART-07',
    'ART-08',
    'ART-10',
    'INGEST-08',
    'INGEST-09',
    'FM-01',
  ],
  'an artifact is returned with its manifest, text resources and content hash',
  async () => {
    const manifest = rule('1.2.3');
    const server = await serve({
      'ops/a/ARTIFACT.md': manifest,
      'ops/a/notes.txt': 'Größe\n',
      'ops/a/scripts/run.sh': { x: 'echo hi\n' },
    });
    const loaded = await server.call(loadArtifact, { query: { id: 'ops/a' } });
    expect(loaded).toEqual({
      id: 'ops/a',
      type: 'rule',
      version: '1.2.3',
      layer: 'base',
      content_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      manifest_body: manifest,
      resources: { 'notes.txt': 'Größe\n', 'scripts/run.sh': 'echo hi\n' },
      executable: ['scripts/run.sh'],
      large_resources: {},
      deprecated: false,
    });
    // Computed from the response with the framing of SPEC-27.
    const framed = [
      ['ARTIFACT.md', '-', manifest],
      ['notes.txt', '-', 'Größe\n'],
      ['scripts/run.sh', 'x', 'echo hi\n'],
    ].map(
      ([path = '', mode = '', text = '']) =>
        `${path.length}:${path}${mode}${Buffer.byteLength(text)}:${text}`,
    );
    expect(loaded.content_hash).toBe(sha256(framed.join('')));
  },
);

verifies('ART-09', 'one binary resource makes all resources base64', async () => {
  const binary = Uint8Array.from([0xff, 0x00, 0xfe]);
  const server = await serve({
    'ops/a/ARTIFACT.md': rule('1.0.0'),
    'ops/a/logo.bin': binary,
    'ops/a/notes.txt': 'text',
  });
  const loaded = await server.call(loadArtifact, { query: { id: 'ops/a' } });
  expect(loaded.resources_base64).toBe(true);
  expect(loaded.resources).toEqual({
    'logo.bin': Buffer.from(binary).toString('base64'),
    'notes.txt': Buffer.from('text').toString('base64'),
  });
});

verifies(
  ['ART-11', 'ART-12', 'ART-13', 'LIMIT-02', 'OBJ-01', 'OBJ-02', 'OBJ-04'],
  'a file at the inline limit is included, and a larger one is linked',
  async () => {
    const inline = 'x'.repeat(INLINE_CUTOFF_BYTES);
    const large = Buffer.alloc(INLINE_CUTOFF_BYTES + 1, 'ÿ');
    const files = {
      'ops/a/ARTIFACT.md': rule('1.0.0'),
      'ops/a/at.txt': inline,
      'ops/a/over.bin': large,
    };
    const server = await serve(files, OBJECTS_IN_A_FOLDER);
    const loaded = await server.call(loadArtifact, { query: { id: 'ops/a' } });
    expect(Object.keys(loaded.resources)).toEqual(['at.txt']);
    expect(loaded.resources['at.txt']).toBe(inline);
    const link = loaded.large_resources['over.bin'];
    expect(link).toMatchObject({ content_hash: sha256(large), size: large.length });
    const path = new URL(link?.presigned_url ?? '').pathname;
    expect(path).toBe(`/objects/${sha256(large).slice('sha256:'.length)}`);
    const fetched = await server.request(path);
    expect(fetched.status).toBe(200);
    expect(sha256(fetched.raw)).toBe(sha256(large));
    const head = await server.request(path, { method: 'HEAD' });
    expect(head.headers['content-length']).toBe(String(large.length));
    expect(head.raw).toHaveLength(0);
    const withPrefix = await server.request(`/objects/${sha256(large)}`);
    expect(sha256(withPrefix.raw)).toBe(sha256(large));
  },
);

verifies('ERR-79', 'an unknown object and an invalid object key return 404', async () => {
  const server = await serve({ 'ops/a/ARTIFACT.md': rule('1.0.0') });
  for (const key of ['0'.repeat(64), 'no-hash', '..%2f..%2fetc%2fpasswd']) {
    const answer = await server.request(`/objects/${key}`);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: 'registry.not_found' });
  }
});

verifies(
  ['ART-06', 'LIMIT-02'],
  'a manifest above the inline limit is linked, with its hash and size',
  async () => {
    const filler = (size: number): string =>
      `---\ntype: skill\nversion: 1.0.0\n---\n<!-- ${'d'.repeat(size)} -->\n`;
    const exact = INLINE_CUTOFF_BYTES - Buffer.byteLength(filler(0));
    const skill = (name: string): string =>
      `---\nname: ${name}\ndescription: Does what has to be done.\n---\nDo it.\n`;
    const server = await serve({
      'ops/at/ARTIFACT.md': filler(exact),
      'ops/at/SKILL.md': skill('at'),
      'ops/over/ARTIFACT.md': filler(exact + 1),
      'ops/over/SKILL.md': skill('over'),
    });
    const at = await server.call(loadArtifact, { query: { id: 'ops/at' } });
    expect(Buffer.byteLength(at.manifest_body ?? '')).toBe(INLINE_CUTOFF_BYTES);
    expect(at).not.toHaveProperty('manifest_body_url');
    const over = await server.call(loadArtifact, { query: { id: 'ops/over' } });
    expect(over).not.toHaveProperty('manifest_body');
    expect(over).toMatchObject({
      manifest_body_url: expect.stringMatching(/^http:/),
      manifest_body_hash: sha256(filler(exact + 1)),
      manifest_body_size: INLINE_CUTOFF_BYTES + 1,
    });
    const fetched = await fetch(over.manifest_body_url ?? '');
    expect(await fetched.text()).toBe(filler(exact + 1));
  },
);

verifies(
  ['LOAD-02', 'VER-05', 'VER-06', 'VER-07', 'VIEW-02', 'FM-05', 'BATCH-04'],
  'latest is the version ingested last that is not deprecated, and each version can be pinned',
  async () => {
    const server = await serve({ 'ops/a/ARTIFACT.md': rule('2.0.0') });
    await server.ingest({ 'ops/a/ARTIFACT.md': rule('1.0.0') });
    const version = async (pin?: string): Promise<string> => {
      const query = { id: 'ops/a', ...(pin === undefined ? {} : { version: pin }) };
      return (await server.call(loadArtifact, { query })).version;
    };
    expect(await version()).toBe('1.0.0');
    await server.ingest({ 'ops/a/ARTIFACT.md': rule('3.0.0', 'deprecated: true\n') });
    expect(await version()).toBe('1.0.0');
    expect(await version('2.0.0')).toBe('2.0.0');
    expect(await version('3.0.0')).toBe('3.0.0');
    expect(await version('2.x')).toBe('2.0.0');
    expect(await version('latest')).toBe('1.0.0');
    const batch = async (pin: string): Promise<unknown> =>
      server.call(batchLoad, { body: { ids: ['ops/a'], version_pins: { 'ops/a': pin } } });
    expect(await batch('2.0.0')).toMatchObject([{ status: 'ok', version: '2.0.0' }]);
    expect(await batch('latest')).toMatchObject([{ status: 'ok', version: '1.0.0' }]);
    const { versions } = await server.call(listVersions, { query: { id: 'ops/a' } });
    expect(versions.map(({ version: each, latest }) => [each, latest])).toEqual([
      ['3.0.0', false],
      ['1.0.0', true],
      ['2.0.0', false],
    ]);
  },
);

verifies(
  ['LOAD-03', 'LOAD-09', 'LOAD-10', 'BATCH-02'],
  'a session keeps its first latest version in single and batch loads',
  async () => {
    const server = await serve({ 'ops/a/ARTIFACT.md': rule('1.0.0') });
    const load = async (session_id?: string, version = ''): Promise<string> => {
      const query = { id: 'ops/a', version, ...(session_id === undefined ? {} : { session_id }) };
      return (await server.call(loadArtifact, { query })).version;
    };
    const batch = async (session_id: string): Promise<unknown> => {
      const [item] = await server.call(batchLoad, { body: { ids: ['ops/a'], session_id } });
      return item?.status === 'ok' ? item.version : item;
    };
    const session = 'c2bb0f84-9b02-4f9e-8f5b-0cbf2b9e5a01';
    expect(await load(session)).toBe('1.0.0');
    expect(await batch('batch-session')).toBe('1.0.0');
    await server.ingest({ 'ops/a/ARTIFACT.md': rule('1.1.0') });
    expect(await load(session)).toBe('1.0.0');
    expect(await load(session, 'latest')).toBe('1.0.0');
    expect(await batch(session)).toBe('1.0.0');
    expect(await batch('batch-session')).toBe('1.0.0');
    expect(await load('another')).toBe('1.1.0');
    expect(await load()).toBe('1.1.0');
  },
);

verifies(['LOAD-09', 'VER-07'], 'a version pinned inside a session is served', async () => {
  const server = await serve({ 'ops/a/ARTIFACT.md': rule('1.0.0') });
  const session_id = 'pinning';
  const load = async (version: string): Promise<string> =>
    (await server.call(loadArtifact, { query: { id: 'ops/a', version, session_id } })).version;
  expect(await load('')).toBe('1.0.0');
  await server.ingest({ 'ops/a/ARTIFACT.md': rule('1.1.0') });
  expect(await load('1.1.0')).toBe('1.1.0');
  expect(await load('')).toBe('1.0.0');
});

verifies('VER-07', 'a version that only a lower layer has is served from that layer', async () => {
  const server = await serve({ 'ops/a/ARTIFACT.md': rule('1.0.0') });
  const over = rule('2.0.0', 'extends: ops/a@1.0.0\n');
  await server.ingest({ 'ops/a/ARTIFACT.md': over }, { id: 'over' });
  const load = async (version: string) =>
    server.call(loadArtifact, { query: { id: 'ops/a', version } });
  expect(await load('')).toMatchObject({ version: '2.0.0', layer: 'over' });
  const pinned = await load('1.0.0');
  expect(pinned).toMatchObject({ version: '1.0.0', layer: 'base' });
  expect(await load(pinned.content_hash)).toEqual(pinned);
});

verifies('VIEW-04', 'only a public registry lets shared caches keep a version', async () => {
  const files = { 'ops/a/ARTIFACT.md': rule('1.0.0') };
  const keeping = async (settings: Partial<Settings>, version: string) => {
    const server = await serve(files, settings);
    const { headers } = await server.request(loadArtifact, { query: { id: 'ops/a', version } });
    return headers['cache-control'];
  };
  expect(await keeping({}, '1.0.0')).toBe('private, no-cache');
  expect(await keeping({ public_mode: true }, '')).toBe('private, no-cache');
  expect(await keeping({ public_mode: true }, '1.0.0')).toBe('public, max-age=31536000, immutable');
});

test('a session id belongs to its caller, and other callers with the same id have their own session', async () => {
  const server = await startRegistry({
    settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['root'] },
  });
  const root = server.as(asCaller({ subject: 'root' }));
  const load = async (headers: Record<string, string>): Promise<string> => {
    const query = { id: 'ops/a', session_id: 'the-same' };
    return (await server.as(headers).call(loadArtifact, { query })).version;
  };
  const ann = asCaller({ subject: 'ann' });
  const bob = asCaller({ subject: 'bob' });
  await root.ingest({ 'ops/a/ARTIFACT.md': rule('1.0.0') }, { public: true });
  expect(await load(ann)).toBe('1.0.0');
  await root.ingest({ 'ops/a/ARTIFACT.md': rule('1.1.0') });
  expect(await load(bob)).toBe('1.1.0');
  expect(await load(asAnonymous())).toBe('1.1.0');
  await root.ingest({ 'ops/a/ARTIFACT.md': rule('1.2.0') });
  expect([await load(ann), await load(bob), await load(asAnonymous())]).toEqual([
    '1.0.0',
    '1.1.0',
    '1.1.0',
  ]);
});

verifies(
  ['LOAD-05', 'LOAD-06', 'LOAD-07', 'LOAD-08'],
  'HEAD and conditional requests use the content hash',
  async () => {
    const server = await serve({ 'ops/a/ARTIFACT.md': rule('1.0.0') });
    const query = { id: 'ops/a' };
    const full = await server.request(loadArtifact, { query });
    const hash = String(full.headers['x-catalog-content-hash']);
    expect(full.headers.etag).toBe(`"${hash}"`);
    const head = await server.request(loadArtifact, { query, method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.raw).toHaveLength(0);
    expect(head.headers).toMatchObject({
      'x-catalog-content-hash': hash,
      'x-catalog-version': '1.0.0',
    });
    for (const tag of [`"${hash}"`, `W/"${hash}"`, `"other", "${hash}"`, '*']) {
      const answer = await server.request(loadArtifact, {
        query,
        headers: { 'if-none-match': tag },
      });
      expect([tag, answer.status, answer.raw.length]).toEqual([tag, 304, 0]);
    }
    for (const tag of ['"other"', hash, '']) {
      const answer = await server.request(loadArtifact, {
        query,
        headers: { 'if-none-match': tag },
      });
      expect([tag, answer.status]).toEqual([tag, 200]);
      expect(answer.body).toMatchObject({ id: 'ops/a' });
    }
  },
);

verifies('ERR-76', 'missing, withdrawn and hidden artifacts return the same response', async () => {
  const server = await serve({ 'ops/a/ARTIFACT.md': rule('1.0.0') });
  const absent = await server.request(loadArtifact, { query: { id: 'ops/none' } });
  expect(absent.status).toBe(404);
  expect(absent.body).toMatchObject({ code: 'registry.not_found', details: { id: 'ops/none' } });
  const noVersion = await server.request(loadArtifact, {
    query: { id: 'ops/a', version: '9.9.9' },
  });
  expect(noVersion.status).toBe(404);
  const badPin = await server.request(loadArtifact, { query: { id: 'ops/a', version: '1.2' } });
  expect(badPin.body).toMatchObject({ code: 'registry.invalid_argument' });
});

describe('batch load', () => {
  verifies(
    ['BATCH-01', 'BATCH-03', 'BATCH-05', 'BATCH-06', 'BATCH-07', 'BATCH-09', 'ART-14', 'ERR-02'],
    'each item has its own result, and the batch returns 200',
    async () => {
      const large = Buffer.alloc(INLINE_CUTOFF_BYTES + 1);
      const server = await serve({
        'ops/a/ARTIFACT.md': rule('1.0.0'),
        'ops/a/big.bin': large,
        'ops/a/logo.bin': Uint8Array.from([0xff]),
        'ops/a/notes.txt': 'text',
      });
      const answer = await server.request(batchLoad, {
        body: { ids: ['ops/a', 'ops/none'], harness: 'harness-a' },
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual([
        {
          id: 'ops/a',
          status: 'ok',
          type: 'rule',
          version: '1.0.0',
          layer: 'base',
          deprecated: false,
          content_hash: expect.stringMatching(/^sha256:/),
          manifest_body: rule('1.0.0'),
          resources: [
            {
              path: 'big.bin',
              content_hash: sha256(large),
              size: large.length,
              presigned_url: expect.stringMatching(/^http:/),
            },
            {
              path: 'logo.bin',
              content_hash: sha256(Uint8Array.from([0xff])),
              size: 1,
              inline: '/w==',
              inline_base64: true,
            },
            { path: 'notes.txt', content_hash: sha256('text'), size: 4, inline: 'text' },
          ],
        },
        {
          id: 'ops/none',
          status: 'error',
          error: {
            code: 'visibility.denied',
            message: expect.any(String),
            details: { id: 'ops/none' },
            retryable: false,
            suggested_action: expect.any(String),
          },
        },
      ]);
      const allFail = await server.request(batchLoad, { body: { ids: ['x', 'y'] } });
      expect(allFail.status).toBe(200);
      expect(allFail.body).toMatchObject([{ status: 'error' }, { status: 'error' }]);
    },
  );

  verifies('ERR-83', 'an item that fails without a code returns registry.unknown', async () => {
    const server = await serve({
      'ops/a/ARTIFACT.md': rule('1.0.0'),
      'ops/b/ARTIFACT.md': rule('1.0.0'),
    });
    const { versions } = server.registry.store;
    const get = versions.get.bind(versions);
    versions.get = async (tenant, layer, id, version) => {
      if (id === 'ops/a') throw new TypeError('a defect');
      return get(tenant, layer, id, version);
    };
    const answer = await server.request(batchLoad, { body: { ids: ['ops/a', 'ops/b'] } });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject([
      { id: 'ops/a', status: 'error', error: { code: 'registry.unknown' } },
      { id: 'ops/b', status: 'ok' },
    ]);
    expect(answer.raw.toString()).not.toContain('a defect');
  });

  test('ids that match built-in object properties are handled like any other', async () => {
    const server = await serve({ 'ops/a/ARTIFACT.md': rule('1.0.0') });
    const ids = ['__proto__', 'constructor', 'toString'];
    const answer = await server.request(batchLoad, { body: { ids } });
    expect(answer.body).toMatchObject(
      ids.map((id) => ({ id, status: 'error', error: { code: 'visibility.denied' } })),
    );
  });
});
