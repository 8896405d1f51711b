import { previewScope } from '@catalog/contract/endpoints/discovery';
import { startRegistry } from '@catalog/testkit/registry-server';
import { expect } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

function artifact(type: string, name: string, more = '', version = '1.0.0'): string {
  return `---\ntype: ${type}\nname: ${name}\nversion: ${version}\ndescription: About ${name}.\n${more}---\nThe long text of ${name}.\n`;
}

const BASE = {
  'ops/a/ARTIFACT.md': artifact('rule', 'a'),
  'ops/b/ARTIFACT.md': artifact('rule', 'b', 'sensitivity: low\n'),
  'ops/c/ARTIFACT.md': artifact('command', 'c', 'sensitivity: medium\n'),
  'ops/d/ARTIFACT.md': artifact('context', 'd', 'sensitivity: high\n'),
  'ops/d/secret.txt': 'the bytes of a resource',
};

verifies(
  ['SCOPE-01', 'SCOPE-02', 'SCOPE-03', 'SCOPE-04', 'SCOPE-05', 'FM-03'],
  'preview_scope counts the effective view by type and sensitivity and returns no content',
  async () => {
    const server = await startRegistry({ layers: { base: BASE } });
    await server.ingest(
      {
        'ops/b/ARTIFACT.md': artifact(
          'rule',
          'b',
          'sensitivity: high\nextends: ops/b@1.0.0\n',
          '2.0.0',
        ),
      },
      { id: 'team' },
    );
    const { body, raw } = await server.request(previewScope);
    expect(body).toEqual({
      layers: ['base', 'team'],
      artifact_count: 4,
      by_type: { rule: 2, command: 1, context: 1 },
      by_sensitivity: { low: 1, medium: 1, high: 2 },
    });
    expect(raw.toString()).not.toMatch(/long text|bytes of a resource|ops\//);
    await server.ingest({ 'ops/a/ARTIFACT.md': artifact('rule', 'a') });
    expect(await server.call(previewScope)).toMatchObject({ artifact_count: 2 });
  },
);

verifies('ERR-30', 'preview_scope returns 403 if the tenant disables it', async () => {
  const server = await startRegistry({ settings: { 'tenant.expose_scope_preview': false } });
  const { status, body } = await server.request(previewScope);
  expect([status, body]).toMatchObject([403, { code: 'config.scope_preview_disabled' }]);
});
