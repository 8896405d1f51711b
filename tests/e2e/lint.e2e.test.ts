import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree, writeTree, type FileTree } from '@catalog/testkit/temporary-folder';
import { openWorkspace, OPS, skill } from './workspace.ts';

function inFolder(folder: string, files: FileTree): FileTree {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]),
  );
}

describe('catalog lint', () => {
  const broken = {
    ...skill('good/one'),
    'bad/two/ARTIFACT.md':
      '---\ntype: command\nname: two\nversion: one\ndescription: Do the second thing.\n---\nGo.\n',
  };

  test('reports that a valid registry has no problems', async () => {
    // A rule for certain files causes a warning, because gemini-cli always loads it (RULE-28).
    const { registry, ok } = openWorkspace({
      ...OPS,
      'ops/guard/no-friday/ARTIFACT.md':
        '---\ntype: rule\nname: no-friday\nversion: 1.0.0\ndescription: Avoid releases on Fridays.\n---\nDo not release on Friday.\n',
    });
    const { stdout, stderr } = await ok(`lint ${registry}`);
    expect(stdout).toMatch(/^No problems in 7 artifacts/);
    expect(stderr).toBe('');
  });

  test('prints the file, line, column, rule and fix of a finding, and fails', async () => {
    const { registry, run } = openWorkspace(broken);
    const { code, stdout } = await run(`lint ${registry}`);
    expect(code).toBe(1);
    expect(stdout).toContain('bad/two/ARTIFACT.md:4:');
    expect(stdout).toContain('lint.invalid_version');
    expect(stdout).toContain('version: one');
    expect(stdout).toMatch(/1 error/);
  });

  test('reports the same findings as JSON, in the format of code hosts, and as annotations', async () => {
    const { registry, run, json } = openWorkspace(broken);
    const { document, code } = await json(`lint ${registry}`);
    expect(code).toBe(1);
    expect(document).toMatchObject({
      summary: { errors: 1, warnings: 0, artifacts: 2 },
      diagnostics: [{ code: 'lint.invalid_version', line: 4 }],
    });
    const asFormat = await run(`lint ${registry} --format json`);
    expect(JSON.parse(asFormat.stdout)).toEqual(document);
    const sarif = await run(`lint ${registry} --format sarif`);
    expect(JSON.parse(sarif.stdout)).toMatchObject({
      version: '2.1.0',
      runs: [{ results: [{ ruleId: 'lint.invalid_version' }] }],
    });
    const github = await run(`lint ${registry} --format github`);
    expect(github.stdout).toMatch(/^::error file=.*,line=4,/);
  });

  test('prints relative paths in the current folder, and absolute paths outside of it', async () => {
    const { root, registry, run, json } = openWorkspace(broken);
    writeTree(root, inFolder('mine', broken));
    for (const [path, file] of [
      ['mine', 'mine/bad/two/ARTIFACT.md'],
      [registry, `${registry}/bad/two/ARTIFACT.md`],
    ] as const) {
      expect((await json(`lint ${path}`)).document['diagnostics']).toMatchObject([{ file }]);
      const uri = path === 'mine' ? file : `file://${file}`;
      expect((await run(`lint ${path} --format sarif`)).stdout).toContain(`"uri": "${uri}"`);
      expect((await run(`lint ${path} --format github`)).stdout).toContain(`file=${file},`);
      expect((await run(`lint ${path}`)).stdout).toContain(`${file}:4:1 `);
    }
  });

  test('reports an artifact that sync would reject, with the same reason', async () => {
    const { registry, json } = openWorkspace({
      'a/child/ARTIFACT.md':
        '---\ntype: command\nname: child\nversion: 1.0.0\ndescription: Build upon a parent.\nextends: a/nobody@1.0.0\n---\nGo.\n',
    });
    const lint = await json(`lint ${registry}`);
    expect(lint.code).toBe(1);
    expect(lint.document['diagnostics']).toMatchObject([
      {
        code: 'ingest.invalid_artifact',
        artifact_id: 'a/child',
        severity: 'error',
        line: 6,
        excerpt: 'extends: a/nobody@1.0.0',
        fix: 'Fix the id under `extends`, or add that artifact.',
      },
    ]);
  });

  test('reports a file that must not be read, and counts its artifact once', async () => {
    const { registry, json } = openWorkspace({ ...skill('a/good'), ...skill('a/odd') });
    symlinkSync('/etc/hosts', join(registry, 'a/odd/hosts'));
    symlinkSync('/etc/hosts', join(registry, 'a/odd/more'));
    const { document } = await json(`lint ${registry}`);
    expect(document).toMatchObject({
      summary: { errors: 2, artifacts: 2 },
      diagnostics: [
        { code: 'ingest.source_unreachable', file: join(registry, 'a/odd/hosts') },
        { code: 'ingest.source_unreachable', file: join(registry, 'a/odd/more') },
      ],
    });
  });

  test('counts checked artifacts by package, in every layer', async () => {
    const { registry, run } = openWorkspace({
      '.registry-config': 'multi_layer: true\n',
      ...inFolder('base', { ...skill('a/one'), ...skill('a/two') }),
      ...inFolder('team', skill('a/one')),
    });
    const { stdout } = await run(`lint ${registry}`);
    expect(stdout).toContain('ingest.collision');
    expect(stdout).toMatch(/^1 error, \d+ warnings? in 3 artifacts$/m);
  });

  test('--fix repairs mechanical problems and keeps the rest unchanged', async () => {
    const { registry, run, ok } = openWorkspace({
      'a/rule/ARTIFACT.md':
        '---\ntype: rule\nname: rule\nversion: 1.0.0\ndescription: Do the right thing.\nrule_mode: Always\n---\nDo it.\n',
    });
    expect((await run(`lint ${registry}`)).code).toBe(1);
    await ok(`lint ${registry} --fix`);
    expect(readFileSync(join(registry, 'a/rule/ARTIFACT.md'), 'utf8')).toContain(
      'rule_mode: always',
    );
    expect((await run(`lint ${registry}`)).code).toBe(0);
  });

  test('--fix does not change a folder outside of the workspace if only the workspace names it', async () => {
    const files = { 'one/SKILL.md': '---\nname: uno\ndescription: Do it.\n---\nDo it.\n' };
    const { root, registry, error, ok } = openWorkspace(files);
    for (const [settings, link] of [
      [`defaults: {registry: ${registry}}\n`, undefined],
      ['defaults: {registry: ./artifacts}\n', registry],
    ] as const) {
      writeTree(root, { '.catalog/sync.yaml': settings });
      if (link !== undefined) symlinkSync(link, join(root, 'artifacts'));
      const before = readTree(registry);
      const refused = await error('lint --fix');
      expect(refused.error.code).toBe('config.untrusted');
      expect(refused.error.suggested_action).toContain('catalog lint --fix ');
      expect(readTree(registry)).toEqual(before);
    }
    await ok(`lint --fix ${registry}`);
    expect(readFileSync(join(registry, 'one/SKILL.md'), 'utf8')).toContain('name: one');
  });

  test('--fix lists its changes in JSON, and reports if it changed nothing', async () => {
    const { root, json, run } = openWorkspace({}, inFolder('mine', broken));
    const none = await run('lint mine --fix');
    expect(none.stderr).toBe('nothing fixed: the remaining problems need manual changes\n');
    writeTree(root, {
      'mine/good/one/SKILL.md': '---\nname: uno\ndescription: Do the first thing.\n---\nDo it.\n',
    });
    const { document } = await json('lint mine --fix');
    expect(document['fixed']).toMatchObject([{ path: 'mine/good/one/SKILL.md' }]);
    expect((await run('lint mine/good --fix')).stderr).toBe('nothing to fix\n');
  });

  test('checks the configured registry by default, and the given path otherwise', async () => {
    const { root, registry, ok, run } = openWorkspace(OPS);
    writeTree(root, {
      '.catalog/sync.yaml': `defaults:\n  registry: ${registry}\n`,
      ...inFolder('other', broken),
    });
    await ok('lint --offline');
    expect((await run('lint other')).code).toBe(1);
    expect((await run('lint --registry other')).code).toBe(1);
  });

  test('suggests the next step for an empty registry', async () => {
    const { registry, ok } = openWorkspace();
    expect((await ok(`lint ${registry}`)).stdout).toContain('catalog artifact new skill');
  });

  describe('catalog lint for a part of a registry', () => {
    const parted = {
      ...broken,
      'bad/DOMAIN.md': '---\ndescription: [a]\n---\n',
      'bad/see/ARTIFACT.md':
        '---\ntype: context\nversion: 1.0.0\ndescription: Where to look next.\n---\nSee [one](good/one).\n',
      'bad/see/references/more.md': 'More.\n',
    };

    test.each([
      ['mine/bad', ['bad/DOMAIN.md', 'bad/two/ARTIFACT.md'], 2],
      ['mine/bad/two', ['bad/two/ARTIFACT.md'], 1],
      ['mine/bad/two/ARTIFACT.md', ['bad/two/ARTIFACT.md'], 1],
      ['mine/bad/see', [], 1],
      ['mine/bad/see/references/more.md', [], 1],
      ['mine/bad/DOMAIN.md', ['bad/DOMAIN.md'], 0],
    ])('checks %s of the configured registry', async (path, files, artifacts) => {
      const { json } = openWorkspace(
        {},
        { '.catalog/sync.yaml': 'defaults: {registry: mine}\n', ...inFolder('mine', parted) },
      );
      const { document, stderr } = await json(`lint ${path}`);
      expect(stderr).toBe('');
      expect(document).toMatchObject({
        summary: { artifacts },
        diagnostics: files.map((file) => ({ file: `mine/${file}` })),
      });
    });

    test('rejects a path that does not exist', async () => {
      const { error } = openWorkspace(
        {},
        { '.catalog/sync.yaml': 'defaults: {registry: mine}\n', ...inFolder('mine', parted) },
      );
      const { error: envelope } = await error('lint mine/bad/tow');
      expect(envelope).toMatchObject({
        code: 'config.usage',
        message: 'mine/bad/tow does not exist.',
      });
    });

    test('searches parent folders for a registry that is not configured, and reports the choice', async () => {
      const { json, error } = openWorkspace(
        {},
        {
          ...inFolder('layered/base', parted),
          'layered/.registry-config': 'multi_layer: true\n',
          ...inFolder('plain', skill('review')),
        },
      );
      const layered = await json('lint layered/base/bad/see');
      expect(layered.document).toMatchObject({ summary: { errors: 0, artifacts: 1 } });
      expect(layered.stderr).toContain('as part of the registry layered\n');
      const bare = await json('lint plain/review/SKILL.md');
      expect(bare.document).toMatchObject({ summary: { errors: 0, artifacts: 1 } });
      expect(bare.stderr).toContain('as part of the registry plain\n');
      expect((await error('lint plain/nothing')).error.message).toContain(
        'plain/nothing does not exist',
      );
      const outside = await error('lint plain --registry layered');
      expect(outside.error.message).toContain('is not inside the registry layered');
    });
  });

  test('checks the overlay together with the configured registry, like a sync', async () => {
    const { root, registry, run, json } = openWorkspace(skill('a/base'));
    writeTree(root, {
      '.catalog/sync.yaml': `defaults: {registry: ${registry}, harness: harness-a}\n`,
      '.catalog/overlay/a/mine/ARTIFACT.md':
        '---\ntype: context\nversion: 1.0.0\ndescription: Thin.\n---\nSee [the base](a/base).\n',
    });
    const sync = await run('sync');
    expect(sync.stdout).toContain('1 lint warning; for details, run `catalog lint`');
    const file = '.catalog/overlay/a/mine/ARTIFACT.md';
    const found = { diagnostics: [{ code: 'lint.thin_description', file }] };
    expect((await json('lint')).document).toMatchObject({ ...found, summary: { artifacts: 2 } });
    expect((await json(`lint ${file}`)).document).toMatchObject(found);
    expect((await json(`lint ${registry}`)).document['diagnostics']).toEqual([]);
  });

  test('suggests the right key for a typo', async () => {
    const { registry, json } = openWorkspace({
      'a/one/ARTIFACT.md':
        '---\ntype: command\nversion: 1.0.0\ndesciption: Do the first thing.\nowner: ops\n---\nGo.\n',
    });
    const { document } = await json(`lint ${registry}`);
    expect(document['diagnostics']).toMatchObject([
      { code: 'lint.misspelled_key', line: 4, fix: 'Did you mean `description`?' },
      { code: 'lint.thin_description' },
    ]);
  });
});
