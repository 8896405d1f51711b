import { artifactMarkdown, loadArtifact } from '@catalog/contract/endpoints/materialization';
import { startRegistry } from '@catalog/testkit/registry-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

function rule(version: string, body: string): string {
  return `---\ntype: rule\nname: a\nversion: ${version}\ndescription: What to do about releases.\n---\n${body}`;
}

const SKILL =
  '---\nname: greet\ndescription: Greets a visitor.\n---\n\n# Greet\n\nSay *Grüß Gott*.\n';

describe('artifact Markdown', () => {
  let server: Awaited<ReturnType<typeof startRegistry>>;

  beforeAll(async () => {
    server = await startRegistry({ keep: true });
    await server.ingest({
      'ops/a/ARTIFACT.md': rule('1.0.0', 'First.\n'),
      'ops/greet/SKILL.md': SKILL,
      'ops/greet/ARTIFACT.md': '---\ntype: skill\nversion: 2.1.0\n---\n',
    });
    await server.ingest({
      'ops/a/ARTIFACT.md': rule('1.1.0', 'Second.\n'),
      'ops/greet/SKILL.md': SKILL,
      'ops/greet/ARTIFACT.md': '---\ntype: skill\nversion: 2.1.0\n---\n',
    });
  });

  afterAll(() => server.close());

  test('is the original text of the latest or the requested version', async () => {
    for (const [id, version, text] of [
      ['ops/a', '', rule('1.1.0', 'Second.\n')],
      ['ops/a', '1.0.0', rule('1.0.0', 'First.\n')],
      ['ops/greet', '', SKILL],
    ] as const) {
      const { status, headers, raw } = await server.request(artifactMarkdown, {
        query: { id, version },
      });
      expect([status, headers['content-type']], id).toEqual([200, 'text/markdown; charset=utf-8']);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(raw.toString(), `${id} ${version}`).toBe(text);
      const record = await server.call(loadArtifact, { query: { id, version } });
      expect(headers).toMatchObject({
        etag: `"${record.content_hash}"`,
        'x-catalog-content-hash': record.content_hash,
        'x-catalog-version': record.version,
        'cache-control': 'private, no-cache',
      });
    }
  });

  test('returns 304 if the client has the current text', async () => {
    const query = { id: 'ops/a' };
    const head = await server.request(artifactMarkdown, { method: 'HEAD', query });
    expect([head.status, head.raw.length]).toEqual([200, 0]);
    const again = await server.request(artifactMarkdown, {
      query,
      headers: { 'if-none-match': head.headers.etag ?? '' },
    });
    expect([again.status, again.raw.length]).toEqual([304, 0]);
  });

  test('returns the same 404 as load_artifact', async () => {
    for (const query of [{ id: 'ops/none' }, { id: 'ops/a', version: '9.9.9' }]) {
      const missing = await server.request(artifactMarkdown, { query });
      const record = await server.request(loadArtifact, { query });
      expect([missing.status, missing.body]).toEqual([404, record.body]);
    }
  });
});
