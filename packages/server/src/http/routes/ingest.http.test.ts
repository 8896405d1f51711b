import { searchArtifacts, syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { reingestLayer } from '@catalog/contract/endpoints/layers';
import type { IngestReport } from '@catalog/contract/records/ingest';
import { followEvents } from '@catalog/testkit/follow-events';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import type { FileTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

function rule(frontmatter: string, body = 'Do it.\n'): string {
  return `---\ntype: rule\n${frontmatter}---\n${body}`;
}

const GOOD = rule('version: 1.0.0\ndescription: What to do about good releases.\n');

function refusals({ rejected, lint_failures, conflicts }: IngestReport): string[] {
  return [...rejected, ...lint_failures, ...conflicts].map(
    ({ artifact_id, code }) => `${artifact_id} ${code}`,
  );
}

async function served(server: RegistryServer): Promise<string[]> {
  const { artifacts } = await server.call(syncManifestEndpoint);
  return artifacts.map(({ id, version }) => `${id}@${version}`);
}

async function body(server: RegistryServer, id: string): Promise<string> {
  return (await server.call(loadArtifact, { query: { id } })).manifest_body ?? '';
}

verifies(
  ['INGEST-06', 'ERR-39', 'ERR-49', 'VER-04'],
  'an invalid artifact is rejected with every finding, and the others are served',
  async () => {
    const server = await startRegistry();
    const report = await server.ingest({
      'ops/good/ARTIFACT.md': GOOD,
      'ops/undecodable/ARTIFACT.md': '---\n[\n---\n',
      'ops/lint/ARTIFACT.md': rule('version: 1.0.0\n', 'See [it](nowhere.md).\n'),
      'ops/semver/ARTIFACT.md': rule('version: one\ndescription: What to do about versions.\n'),
    });
    expect(report).toMatchObject({
      accepted: 1,
      rejected: [{ artifact_id: 'ops/undecodable', code: 'ingest.invalid_artifact' }],
      lint_failures: [
        { artifact_id: 'ops/lint', code: 'lint.prose_reference', file: 'ops/lint/ARTIFACT.md' },
        { artifact_id: 'ops/semver', code: 'lint.invalid_version', line: 3 },
      ],
    });
    expect(await served(server)).toEqual(['ops/good@1.0.0']);
  },
);

test('an artifact with external resources is rejected until it bundles the files', async () => {
  const server = await startRegistry();
  const lines = 'version: 1.0.0\ndescription: What to do about fonts.\n';
  const listed = rule(
    `${lines}external_resources:\n  - {path: fonts.zip, url: https://files.example.com/fonts.zip, sha256: ${'a'.repeat(64)}}\n`,
  );
  const report = await server.ingest({
    'ops/good/ARTIFACT.md': GOOD,
    'ops/fonts/ARTIFACT.md': listed,
  });
  expect(report).toMatchObject({
    accepted: 1,
    lint_failures: [
      {
        artifact_id: 'ops/fonts',
        code: 'lint.unsupported_field',
        file: 'ops/fonts/ARTIFACT.md',
        line: 5,
        reason: '`external_resources` is not supported: nothing downloads the files it lists.',
        fix: expect.stringContaining('Bundle the files'),
      },
    ],
  });
  expect(await served(server)).toEqual(['ops/good@1.0.0']);
  const bundled = { 'ops/fonts/ARTIFACT.md': rule(lines), 'ops/fonts/fonts.zip': 'font' };
  await server.ingest({ 'ops/good/ARTIFACT.md': GOOD, ...bundled });
  expect(await served(server)).toEqual(['ops/fonts@1.0.0', 'ops/good@1.0.0']);
});

async function reingest(
  server: RegistryServer,
  files: FileTree,
): Promise<{ status: number; body: unknown }> {
  await server.ingest(files).catch(() => undefined);
  return server.request(reingestLayer, { query: { id: 'base' } });
}

verifies(
  'ERR-39',
  'a reingest with only lint failures returns 422 with the code and each finding',
  async () => {
    const server = await startRegistry();
    const answer = await reingest(server, {
      'ops/lint/ARTIFACT.md': rule('version: 1.0.0\n', 'See [it](nowhere.md).\n'),
    });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: 'ingest.lint_failed' });
  },
);

verifies(
  ['INGEST-07', 'ERR-42'],
  'an unchanged version is idempotent, and a changed version returns 409 and keeps the stored one',
  async () => {
    const server = await startRegistry({ layers: { base: { 'ops/good/ARTIFACT.md': GOOD } } });
    const again = await server.ingest({ 'ops/good/ARTIFACT.md': GOOD });
    expect(again).toMatchObject({ accepted: 0, idempotent: 1, conflicts: [] });
    const answer = await reingest(server, { 'ops/good/ARTIFACT.md': `${GOOD}More.\n` });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'ingest.immutable_violation' });
    expect(await body(server, 'ops/good')).toBe(GOOD);
  },
);

verifies(
  ['INGEST-10', 'FM-04', 'FM-07'],
  'ingested artifacts are searchable at once, and direct-only artifacts can only be loaded',
  async () => {
    const server = await startRegistry();
    await server.ingest({
      'ops/good/ARTIFACT.md': rule(
        'version: 1.0.0\ndescription: Checks invoices of suppliers.\nwhen_to_use: [Before paying]\naudit_redact: [amount]\n',
      ),
      'ops/quiet/ARTIFACT.md': rule(
        'version: 1.0.0\ndescription: Checks invoices in silence.\nsearch_visibility: direct-only\n',
      ),
    });
    const { results } = await server.call(searchArtifacts, { query: { query: 'invoice' } });
    expect(results.map(({ id }) => id)).toEqual(['ops/good']);
    expect(await body(server, 'ops/quiet')).toContain('direct-only');
  },
);

verifies(
  ['FM-09', 'ERR-48'],
  'a sandbox profile that the host cannot enforce is rejected only if enforcement is on',
  async () => {
    const files = {
      'ops/open/ARTIFACT.md': rule(
        'version: 1.0.0\ndescription: Runs anywhere at all.\nsandbox_profile: unrestricted\n',
      ),
      'ops/strict/ARTIFACT.md': rule(
        'version: 1.0.0\ndescription: Runs in a strict box.\nsandbox_profile: seccomp-strict\n',
      ),
    };
    const lenient = await startRegistry();
    expect(await lenient.ingest(files)).toMatchObject({ accepted: 2 });
    const strict = await startRegistry({
      settings: { enforce_sandbox_profile: true, host_sandboxes: ['unrestricted'] },
    });
    expect(refusals(await strict.ingest(files))).toEqual([
      'ops/strict ingest.sandbox_profile_unenforceable',
    ]);
  },
);

verifies(
  'ERR-51',
  'a duplicate id in a second layer is rejected unless it extends the first',
  async () => {
    const server = await startRegistry({ layers: { base: { 'ops/a/ARTIFACT.md': GOOD } } });
    const report = await server.ingest(
      { 'ops/a/ARTIFACT.md': GOOD, 'ops/b/ARTIFACT.md': GOOD },
      { id: 'team' },
    );
    expect(refusals(report)).toEqual(['ops/a ingest.collision']);
    expect(report.accepted).toBe(1);
  },
);

verifies('ERR-53', 'a resource that cannot be stored aborts the whole ingest', async () => {
  const server = await startRegistry();
  const { objects } = server.registry;
  const put = objects.put.bind(objects);
  objects.put = () => Promise.reject(new Error('no space left on device'));
  const files = { 'ops/a/ARTIFACT.md': GOOD, 'ops/a/big.bin': Buffer.alloc(300_000) };
  const answer = await reingest(server, files);
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ code: 'ingest.resource_store_failed' });
  expect(await served(server)).toEqual([]);
  objects.put = put;
  // A retry of the failed ingest may have accepted the version already.
  await server.ingest(files);
  expect(await served(server)).toEqual(['ops/a@1.0.0']);
});

verifies(
  'ERR-82',
  'a failing store returns registry.unavailable without internal details',
  async () => {
    const server = await startRegistry({ layers: { base: { 'ops/a/ARTIFACT.md': GOOD } } });
    server.registry.store.versions.listHeadsOf = () =>
      Promise.reject(new Error('disk I/O error at /var/lib/secret.db'));
    const answer = await server.request(loadArtifact, { query: { id: 'ops/other' } });
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ code: 'registry.unavailable', retryable: true });
    expect(answer.raw.toString()).not.toContain('secret');
  },
);

describe('public mode', () => {
  verifies(
    ['ERR-47', 'EXT-06'],
    'rejects declared or inherited sensitivity above low',
    async () => {
      const server = await startRegistry({ settings: { public_mode: true } });
      const parent = rule('version: 1.0.0\ndescription: The parent of some children.\n');
      await server.ingest({ 'ops/parent/ARTIFACT.md': parent });
      const report = await server.ingest({
        'ops/parent/ARTIFACT.md': parent,
        'ops/medium/ARTIFACT.md': rule(
          'version: 1.0.0\ndescription: Not for everyone out there.\nsensitivity: medium\n',
        ),
        'ops/high/ARTIFACT.md': rule(
          'version: 1.0.0\ndescription: Not for anyone out there.\nsensitivity: high\n',
        ),
        'ops/low/ARTIFACT.md': rule(
          'version: 1.0.0\ndescription: For everyone out there.\nsensitivity: low\n',
        ),
      });
      expect(refusals(report)).toEqual([
        'ops/high ingest.public_mode_rejects_sensitive',
        'ops/medium ingest.public_mode_rejects_sensitive',
      ]);
      // The sensitivity limit also applies to children of a parent that was ingested before public mode.
      server.registry.settings.public_mode = false;
      await server.ingest(
        {
          'ops/hidden/ARTIFACT.md': rule(
            'version: 1.0.0\ndescription: Taken before it was public.\nsensitivity: high\n',
          ),
        },
        { id: 'upper' },
      );
      server.registry.settings.public_mode = true;
      const child = await server.ingest(
        { 'ops/child/ARTIFACT.md': rule('version: 1.0.0\nextends: ops/hidden\n', '') },
        { id: 'top' },
      );
      expect(refusals(child)).toEqual(['ops/child ingest.public_mode_rejects_sensitive']);
    },
  );
});

describe('extends', () => {
  const PARENT = `---\n# what the author of the parent thought\ntype: rule\nversion: 1.0.0\ndescription: Reconciles ledgers of branches. # inherited\ntags: [money]\nsensitivity: medium\nx-colour: blue\n---\nThe parent's text.\n`;

  verifies(
    ['EXT-01', 'EXT-03', 'EXT-04', 'EXT-05', 'EXT-07', 'EXT-09', 'SEARCH-14'],
    'a child is served merged, is searchable by inherited content, and reveals neither comments nor its parent',
    async () => {
      const server = await startRegistry({
        layers: {
          base: { 'ops/parent/ARTIFACT.md': PARENT },
          team: {
            'ops/child/ARTIFACT.md': rule(
              'version: 2.0.0\nextends: ops/parent@1.0.0   # pinned\nx-flavour: "sweet"\ntags:   [team]\n',
              '',
            ),
          },
        },
      });
      const served = await body(server, 'ops/child');
      expect(served).toContain('description: Reconciles ledgers of branches.');
      expect(served).toContain("The parent's text.");
      expect(served).toContain('x-colour: blue');
      expect(served).toContain('x-flavour: sweet');
      expect(served).not.toContain('#');
      expect(served).not.toContain('extends');
      const { results } = await server.call(searchArtifacts, {
        query: { query: 'ledger reconcile', tags: 'money,team' },
      });
      expect(results).toMatchObject([{ id: 'ops/child', sensitivity: 'medium' }]);
      expect(results[0]?.frontmatter).toBe(served.slice(0, served.indexOf("The parent's text.")));
    },
  );

  verifies(
    ['EXT-10', 'EXT-11', 'SEARCH-16'],
    'a child that still names its parent after the rewrite is ingested, found without its block, and never loaded',
    async () => {
      const server = await startRegistry({
        layers: { base: { 'ops/parent/ARTIFACT.md': PARENT } },
      });
      const report = await server.ingest(
        {
          'ops/merge/ARTIFACT.md': rule(
            'version: 1.0.0\nx-base: &b {extends: ops/parent}\n<<: *b\n',
          ),
          'ops/anchor/ARTIFACT.md': rule('version: 1.0.0\nextends: &p ops/parent\nx-also: *p\n'),
        },
        { id: 'team' },
      );
      expect(report).toMatchObject({ accepted: 2, rejected: [] });
      expect(report.advisories).toMatchObject([
        {
          artifact_id: 'ops/anchor',
          code: 'registry.invalid_argument',
          reason: expect.stringContaining('`x-also`'),
          line: 4,
        },
        { artifact_id: 'ops/merge', reason: expect.stringContaining('`x-base.extends`') },
      ]);
      const { results } = await server.call(searchArtifacts, { query: { query: 'ledgers' } });
      expect(results.map(({ id }) => id).toSorted()).toEqual([
        'ops/anchor',
        'ops/merge',
        'ops/parent',
      ]);
      for (const id of ['ops/merge', 'ops/anchor']) {
        expect(results.find((result) => result.id === id)).not.toHaveProperty('frontmatter');
        const answer = await server.request(loadArtifact, { query: { id } });
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({ code: 'registry.invalid_argument' });
        expect(answer.raw.toString()).not.toContain('ops/parent');
      }
    },
  );

  verifies('EXT-01', 'a child whose name is the id of its parent is served merged', async () => {
    const files = {
      'review/ARTIFACT.md': rule('version: 1.0.0\ndescription: Reviews a change.\n'),
      'team/review/ARTIFACT.md': rule(
        'version: 1.0.0\nname: review\nreplaced_by: review\nextends: review\n',
      ),
    };
    const server = await startRegistry({ layers: { base: files } });
    expect(await body(server, 'team/review')).toContain('description: Reviews a change.');
    const [found] = (await server.call(searchArtifacts, { query: { scope: 'team' } })).results;
    expect(found?.frontmatter).toContain('name: review');
  });

  verifies(
    'SEARCH-15',
    'results omit the block of a child that cannot be parsed, rewritten or encoded',
    async () => {
      const tags = (prefix: string, count: number): string =>
        `tags: [ledgers, ${Array.from({ length: count }, (_, at) => `${prefix}${at}`).join(', ')}]\n`;
      const big = (name: string): string => `x-${name}: ${'b'.repeat(40_000)}\n`;
      const child = (more: string): string =>
        rule(`version: 1.0.0\ndescription: About ledgers.\nextends: ops/parent\n${more}`);
      const parent = rule(
        `version: 1.0.0\ndescription: About ledgers.\n${tags('p', 200)}${big('parent')}`,
      );
      const server = await startRegistry({
        layers: { base: { 'ops/parent/ARTIFACT.md': parent } },
      });
      const report = await server.ingest(
        {
          'ops/good/ARTIFACT.md': child(''),
          'ops/unreadable/ARTIFACT.md': child('x-list: [1\n'),
          'ops/invalid/ARTIFACT.md': child(tags('c', 100)),
          'ops/large/ARTIFACT.md': child(big('child')),
          'ops/reference/ARTIFACT.md': rule(
            'version: 1.0.0\ndescription: About ledgers.\nextends: &p ops/parent\nx-also: *p\n',
          ),
        },
        { id: 'team' },
      );
      expect(report.rejected.map(({ artifact_id }) => artifact_id).toSorted()).toEqual([
        'ops/invalid',
        'ops/large',
        'ops/unreadable',
      ]);
      const { results } = await server.call(searchArtifacts, { query: { query: 'ledgers' } });
      const shown = results.map((result) => [result.id, 'frontmatter' in result]);
      expect(Object.fromEntries(shown)).toEqual({
        'ops/good': true,
        'ops/parent': true,
        'ops/reference': false,
      });
    },
  );

  verifies(
    ['ERR-50', 'VER-12', 'VER-13'],
    'a pin that matches no version, or only deprecated ones, is rejected with the reason',
    async () => {
      const server = await startRegistry({
        layers: {
          base: {
            'ops/old/ARTIFACT.md': rule(
              'version: 1.0.0\ndescription: What was done before.\ndeprecated: true\n',
            ),
            'ops/live/ARTIFACT.md': rule('version: 1.0.0\ndescription: What is done today.\n'),
          },
        },
      });
      const old = await server.call(loadArtifact, { query: { id: 'ops/old' } });
      const child = (reference: string): string => rule(`version: 1.0.0\nextends: ${reference}\n`);
      const report = await server.ingest(
        {
          'ops/absent/ARTIFACT.md': child('ops/nowhere'),
          'ops/exact/ARTIFACT.md': child('ops/old@1.0.0'),
          'ops/hash/ARTIFACT.md': child(`ops/old@${old.content_hash}`),
          'ops/range/ARTIFACT.md': child('ops/old@1.x'),
          'ops/latest/ARTIFACT.md': child('ops/old'),
          'ops/wrong/ARTIFACT.md': child('ops/live@2.x'),
        },
        { id: 'team' },
      );
      expect(report.accepted).toBe(0);
      const reasons = new Map(
        report.rejected.map(({ artifact_id, reason }) => [artifact_id, reason]),
      );
      expect([...reasons.keys()]).toHaveLength(6);
      expect(report.rejected.every(({ code }) => code === 'ingest.invalid_artifact')).toBe(true);
      for (const id of ['ops/exact', 'ops/hash', 'ops/range', 'ops/latest']) {
        expect(reasons.get(id)).toContain('deprecated');
      }
      expect(reasons.get('ops/absent')).toContain('which does not exist');
    },
  );

  verifies(
    ['VER-11', 'VER-14'],
    'a range selects the live version, and ingested children keep it until their next version',
    async () => {
      const parent = (version: string, more: string): string =>
        rule(`version: ${version}\ndescription: The parent in ${version}.\n${more}`);
      const server = await startRegistry();
      await server.ingest({ 'ops/parent/ARTIFACT.md': parent('1.0.0', '') });
      await server.ingest({ 'ops/parent/ARTIFACT.md': parent('1.2.0', 'deprecated: true\n') });
      const child = (version: string): FileTree => ({
        'ops/child/ARTIFACT.md': rule(`version: ${version}\nextends: ops/parent@1.x\n`),
      });
      await server.ingest(child('1.0.0'), { id: 'team' });
      expect(await body(server, 'ops/child')).toContain('The parent in 1.0.0.');
      await server.ingest({ 'ops/parent/ARTIFACT.md': parent('1.3.0', '') });
      await server.ingest(child('1.0.0'), { id: 'team' });
      expect(await body(server, 'ops/child')).toContain('The parent in 1.0.0.');
      await server.ingest(child('1.1.0'), { id: 'team' });
      expect(await body(server, 'ops/child')).toContain('The parent in 1.3.0.');
    },
  );
});

verifies(
  ['INGEST-01', 'INGEST-11'],
  'a deprecated version is marked and reported, and every ingest ends with an event',
  async () => {
    const server = await startRegistry({ layers: { base: { 'ops/a/ARTIFACT.md': GOOD } } });
    const events = await followEvents(server);
    await server.ingest({
      'ops/a/ARTIFACT.md': rule(
        'version: 1.1.0\ndescription: What was done about releases.\ndeprecated: true\n',
      ),
    });
    const deprecatedEvent = await events.next('artifact.deprecated');
    expect(deprecatedEvent.data).toEqual({ id: 'ops/a', version: '1.1.0', layer: 'base' });
    const ended = await events.next('layer.ingested');
    expect(ended.data).toMatchObject({ layer: 'base', accepted: 1 });
    events.close();
    const query = { id: 'ops/a', version: '1.1.0' };
    expect(await server.call(loadArtifact, { query })).toMatchObject({
      deprecated: true,
      deprecation_warning: 'ops/a 1.1.0 is deprecated.',
    });
  },
);

verifies('VIEW-03', 'artifacts come only from git or local layers', async () => {
  const server = await startRegistry({ layers: { base: { 'ops/a/ARTIFACT.md': GOOD } } });
  expect(await served(server)).toEqual(['ops/a@1.0.0']);
  for (const path of ['/v1/artifacts', '/v1/artifacts/ops/a', '/v1/load_artifact?id=ops/b']) {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await server.request(path, { method, body: { id: 'ops/b' } });
      expect([path, method, answer.status >= 400]).toEqual([path, method, true]);
    }
  }
  expect(await served(server)).toEqual(['ops/a@1.0.0']);
});
