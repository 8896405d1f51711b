import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FIRST_CLASS_TYPES, RULE_MODES } from '@catalog/core/artifact/types';
import { readTree } from '@catalog/testkit/temporary-folder';
import { openWorkspace, skill } from './workspace.ts';

const NEEDED: Readonly<Record<string, string[]>> = {
  'mcp-server': ['--server-identifier', 'npx:wh-mcp'],
};

const PLACEHOLDER = 'lint.untouched_template';

function codesById(printed: string): Record<string, string[]> {
  const codes: Record<string, string[]> = {};
  const findings = printed.matchAll(/(\w+\/[\w-]+)\/[A-Z]+\.md:\d+:\d+ {2}\w+ {2}(\S+)/g);
  for (const [, id = '', code = ''] of findings) (codes[id] ??= []).push(code);
  return codes;
}

describe('catalog artifact new', () => {
  test('creates each type without errors, with warnings until it is edited, and installable', async () => {
    const { registry, ok, json } = openWorkspace();
    for (const type of FIRST_CLASS_TYPES) {
      const flags = NEEDED[type] ?? [];
      await ok(['artifact', 'new', type, `start/${type}-one`, '--registry', registry, ...flags]);
      await ok(['artifact', 'new', type, `start/${type}-two`, '--registry', registry, ...flags]);
    }
    for (const mode of RULE_MODES) {
      const globs = mode === 'glob' ? ' --rule-globs a/**,b/**' : '';
      await ok(
        `artifact new rule start/${mode}-rule --rule-mode ${mode}${globs} --registry ${registry}`,
      );
    }
    const started = FIRST_CLASS_TYPES.flatMap((type) => [`${type}-one`, `${type}-two`]);
    const warned = codesById((await ok(`lint ${registry}`)).stdout);
    expect(Object.keys(warned).sort()).toEqual(
      [...started, ...RULE_MODES.map((mode) => `${mode}-rule`)]
        .map((name) => `start/${name}`)
        .sort(),
    );
    for (const name of started) {
      expect(warned[`start/${name}`]).toEqual([PLACEHOLDER, PLACEHOLDER]);
    }
    // claude-code and gemini-cli do not support these modes (RULE-03, RULE-28).
    expect(warned).toMatchObject({
      'start/always-rule': [PLACEHOLDER, PLACEHOLDER],
      'start/auto-rule': [PLACEHOLDER, 'lint.harness_capability', PLACEHOLDER, PLACEHOLDER],
      'start/explicit-rule': [PLACEHOLDER, 'lint.harness_capability', PLACEHOLDER],
      'start/glob-rule': [PLACEHOLDER, 'lint.harness_capability', PLACEHOLDER],
    });
    const sync = await json(`sync --registry ${registry} --harness harness-a`);
    expect(sync.document['targets']).toEqual([
      expect.objectContaining({ rejected: [], skipped: [] }),
    ]);
  });

  test('keeps a name that YAML would parse as another type', async () => {
    const { registry, ok } = openWorkspace();
    for (const name of ['123', 'true', 'no', 'null', '1e5', '0x1f']) {
      await ok(`artifact new skill odd/${name} --registry ${registry}`);
      await ok(`artifact new command odd/${name}-c --registry ${registry}`);
    }
    const codes = Object.values(codesById((await ok(`lint ${registry}`)).stdout)).flat();
    expect(new Set(codes)).toEqual(new Set([PLACEHOLDER]));
  });

  test('creates a hook with an executable script', async () => {
    const { root, registry, ok } = openWorkspace();
    await ok(`artifact new hook guard/log-stop --registry ${registry}`);
    const script = join(registry, 'guard/log-stop/scripts/log-stop.sh');
    expect(statSync(script).mode & 0o111).not.toBe(0);
    await ok(`sync --registry ${registry} --harness harness-a`);
    const settings = readFileSync(join(root, '.harness-a/settings.json'), 'utf8');
    expect(settings).toContain('bash .catalog/resources/guard/log-stop/scripts/log-stop.sh');
  });

  test('writes the values of flags to the manifest', async () => {
    const { registry, ok } = openWorkspace(skill('base/one'));
    const described = ['--description', 'Ships it: "fast", #1 & safe.'];
    const flags = '--tag a,b --tag on --sensitivity high --extends base/one@1.0.0'.split(' ');
    await ok([
      'artifact',
      'new',
      'skill',
      'base/two',
      '--registry',
      registry,
      ...described,
      ...flags,
    ]);
    const manifest = readFileSync(join(registry, 'base/two/ARTIFACT.md'), 'utf8');
    expect(manifest).toBe(
      '---\ntype: skill\nversion: 0.1.0\nextends: base/one@1.0.0\ntags: ["a,b", "on"]\nsensitivity: high\n---\n',
    );
    expect(readFileSync(join(registry, 'base/two/SKILL.md'), 'utf8')).toContain(
      'description: "Ships it: \\"fast\\", #1 & safe."',
    );
    expect(codesById((await ok(`lint ${registry}`)).stdout)).toEqual({
      'base/two': [PLACEHOLDER],
    });
  });

  test('replaces an existing artifact only with --force', async () => {
    const { registry, ok, error } = openWorkspace(skill('base/one'));
    const before = readTree(registry);
    const { error: envelope } = await error(`artifact new skill base/one --registry ${registry}`);
    expect(envelope.suggested_action).toContain('--force');
    expect(readTree(registry)).toEqual(before);
    await ok(`artifact new skill base/one --registry ${registry} --force`);
    expect(readTree(registry)).not.toEqual(before);
  });

  test.each([
    ['Greetings/Hello World', 'greetings/hello-world'],
    ['../escape', 'escape'],
    ['/etc/passwd', 'etc/passwd'],
    ['a//b', 'a/b'],
    ['a@b', 'a-b'],
    ['', 'greetings/hello'],
  ])('rejects the id %j and suggests a valid one', async (id, better) => {
    const { registry, error } = openWorkspace();
    const { error: envelope } = await error([
      'artifact',
      'new',
      'skill',
      id,
      '--registry',
      registry,
    ]);
    expect(envelope.code).toBe('config.usage');
    expect(envelope.suggested_action).toContain(`artifact new skill ${better}\``);
    expect(readTree(registry)).toEqual({});
  });

  test('names the flag for a value without a default', async () => {
    const { registry, error } = openWorkspace();
    const server = await error(`artifact new mcp-server a/b --registry ${registry}`);
    expect(server.error.message).toContain('--server-identifier');
    const rule = await error(`artifact new rule a/b --rule-mode glob --registry ${registry}`);
    expect(rule.error.message).toContain('--rule-globs');
  });

  test('asks for the layer in a registry with several layers', async () => {
    const { registry, ok, error } = openWorkspace({
      '.registry-config': 'multi_layer: true\n',
      ...Object.fromEntries(
        Object.entries(skill('a/b')).map(([path, text]) => [`base/${path}`, text]),
      ),
      'team/README.md': 'Ours.\n',
    });
    const args = ['artifact', 'new', 'skill', 'c/d', '--registry', registry];
    const { error: envelope } = await error(args);
    expect(envelope.message).toContain('base, team');
    expect((await error([...args, '--layer', '../x'])).error.code).toBe('config.usage');
    await ok([...args, '--layer', 'team']);
    expect(existsSync(join(registry, 'team/c/d/SKILL.md'))).toBe(true);
  });
});
