import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { openWorkspace } from './workspace.ts';

test('three commands install a skill in the harness, starting in an empty folder', async () => {
  const { root, ok } = openWorkspace();
  expect(readdirSync(root)).toEqual([]);

  const init = await ok('init --registry ./registry --harness harness-a');
  expect(init.stdout).toContain('Next: catalog artifact new skill greetings/hello');

  const started = await ok('artifact new skill greetings/hello');
  expect(started.stdout).toContain('registry/greetings/hello/SKILL.md');

  const sync = await ok('sync');
  expect(sync.stdout).toBe(
    'harness-a  1 added\n2 lint warnings; for details, run `catalog lint`\n',
  );
  expect(sync.stderr).toBe('');
  expect(readFileSync(join(root, '.harness-a/skills/hello/SKILL.md'), 'utf8')).toBe(
    readFileSync(join(root, 'registry/greetings/hello/SKILL.md'), 'utf8'),
  );

  const again = await ok('sync');
  expect(again.stdout).toBe('harness-a  up to date\n');
  expect((await ok('lint')).stdout).toContain('0 errors, 2 warnings in 1 artifact');
  expect((await ok('status')).stdout).toContain('Up to date');
});

test('sync installs a folder of skills without catalog files unchanged', async () => {
  const { root, ok } = openWorkspace(
    {},
    {
      'skills/review/SKILL.md':
        '---\nname: review\ndescription: Review a change well.\n---\nRead.\n',
    },
  );
  await ok('sync --registry ./skills --harness harness-a');
  expect(readFileSync(join(root, '.harness-a/skills/review/SKILL.md'), 'utf8')).toContain('Read.');
});

verifies(
  'CONV-01',
  'commands, environment variables, folders and markers contain the name catalog',
  async () => {
    const { root, home, registry, ok } = openWorkspace();
    await ok('artifact new mcp-server tools/wh --server-identifier npx:wh', {
      CATALOG_REGISTRY: registry,
    });
    await ok('sync', { CATALOG_REGISTRY: registry, CATALOG_HARNESS: 'harness-a' });
    expect(readdirSync(root).toSorted()).toEqual(['.catalog', '.mcp.json']);
    expect(readFileSync(join(root, '.mcp.json'), 'utf8')).toContain('"x-catalog"');
    await ok(`init --global --registry ${registry}`);
    expect(readdirSync(home)).toEqual(['.catalog']);
    const { stdout } = await ok('help --all');
    const variables = stdout.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? [];
    const foreign = variables.filter((name) => !name.startsWith('CATALOG_'));
    // Names that all programs share (SPEC-61 for the proxies).
    const usual = ['FORCE_COLOR', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_COLOR', 'NO_PROXY'];
    expect([...new Set(foreign)].toSorted()).toEqual(usual);
    expect(variables).toContain('CATALOG_REGISTRY');
  },
);
