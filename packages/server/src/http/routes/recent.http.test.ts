import { catalog, recent, recentFeed } from '@catalog/contract/endpoints/discovery';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { expect, test } from 'vitest';

function rule(name: string, version: string, more = ''): string {
  return `---\ntype: rule\nname: ${name}\nversion: ${version}\ndescription: About <${name}> & "more".\n${more}---\nText.\n`;
}

const FIRST = {
  'ops/a/ARTIFACT.md': rule('a', '1.0.0', 'tags: [x]\n'),
  'ops/b/ARTIFACT.md': rule('b', '1.0.0'),
  'web/c/ARTIFACT.md': rule('c', '1.0.0', 'target_harnesses: [cursor]\n'),
};

async function serve(): Promise<RegistryServer> {
  const server = await startRegistry({ layers: { base: FIRST } });
  await server.ingest({ ...FIRST, 'ops/a/ARTIFACT.md': rule('a', '1.1.0', 'tags: [x]\n') });
  return server;
}

async function readPages(server: RegistryServer, query: object): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | undefined; ;) {
    const page = await server.call(recent, { query: { ...query, cursor } });
    pages.push(page.artifacts.map(({ id, version }) => `${id}@${version}`));
    cursor = page.next_cursor;
    if (cursor === undefined) return pages;
  }
}

test('recent lists each changed artifact once, newest first, in pages', async () => {
  const server = await serve();
  const all = ['ops/a@1.1.0', 'web/c@1.0.0', 'ops/b@1.0.0'];
  expect(await readPages(server, {})).toEqual([all]);
  expect(await readPages(server, { limit: 2 })).toEqual([all.slice(0, 2), all.slice(2)]);
  const { artifacts } = await server.call(recent);
  const { artifacts: listed } = await server.call(catalog, { query: { limit: 10 } });
  expect(artifacts.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(listed);
  const since = { updated_since: artifacts[0]?.updated_at };
  expect(await readPages(server, since)).toEqual([['ops/a@1.1.0']]);
  await server.ingest({ 'ops/b/ARTIFACT.md': rule('b', '1.0.0') });
  expect(await readPages(server, {})).toEqual([['ops/b@1.0.0']]);
});

test.each([
  [{ scope: 'ops' }, ['ops/a@1.1.0', 'ops/b@1.0.0']],
  [{ tags: 'x' }, ['ops/a@1.1.0']],
  [{ harness: 'codex' }, ['ops/a@1.1.0', 'ops/b@1.0.0']],
  [{ layer: 'base', scope: 'web' }, ['web/c@1.0.0']],
  [{ layer: 'none' }, []],
  [{ type: 'skill' }, []],
])('the filter %j returns %j', async (query, expected) => {
  const server = await serve();
  expect((await readPages(server, query)).flat()).toEqual(expected);
});

test('a change to an artifact hidden by a higher layer is not listed', async () => {
  const server = await startRegistry({ layers: { base: FIRST } });
  const above = rule('a', '2.0.0', 'extends: ops/a@1.0.0\n');
  await server.ingest({ 'ops/a/ARTIFACT.md': above }, { id: 'team' });
  await server.ingest({ ...FIRST, 'ops/a/ARTIFACT.md': rule('a', '1.5.0') });
  expect((await readPages(server, {})).flat()).toEqual([
    'ops/a@2.0.0',
    'web/c@1.0.0',
    'ops/b@1.0.0',
  ]);
});

test('an invalid cursor is rejected', async () => {
  const server = await startRegistry();
  for (const cursor of ['x', '2026-13-45T00:00:00.000Z a']) {
    const { status, body } = await server.request(recent, { query: { cursor } });
    expect([status, body]).toMatchObject([400, { code: 'registry.invalid_argument' }]);
  }
});

test('entries of the feed link to their pages if the registry has a web UI', async () => {
  const server = await startRegistry({
    layers: { base: FIRST },
    settings: { public_url: 'https://catalog.example', 'web_ui.enabled': true },
  });
  const feed = (await server.request(recentFeed)).raw.toString();
  expect(feed).toContain(
    '<link rel="alternate" type="text/html" href="https://catalog.example/app/artifacts/ops/a?version=1.0.0"/>',
  );
});

test('the feed has an entry for each change and escapes its text', async () => {
  const server = await startRegistry({
    layers: { base: FIRST },
    settings: { public_url: 'https://catalog.example' },
  });
  const { status, headers, raw } = await server.request(recentFeed);
  expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml']);
  const feed = raw.toString();
  const titles = [...feed.matchAll(/<title>(.*)<\/title>/g)].map(([, title]) => title);
  expect(titles).toEqual(['catalog: recent changes', 'web/c 1.0.0', 'ops/b 1.0.0', 'ops/a 1.0.0']);
  expect(feed).toContain('<summary type="text">About &lt;a&gt; &amp; &quot;more&quot;.</summary>');
  expect(feed).toContain(
    '<id>https://catalog.example/v1/load_artifact?id=ops%2Fa&amp;version=1.0.0</id>',
  );
  const updated = (await server.call(recent)).artifacts[0]?.updated_at;
  expect(feed).toContain(`  <updated>${updated}</updated>\n  <author>`);
});
