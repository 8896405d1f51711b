import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf, type PackageTexts } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { findFormats } from './find-format.ts';
import type { MarketplaceFormat } from './format.ts';
import { renderMarketplace, type MarketplaceRendering } from './render-marketplace.ts';

function artifact(id: string, keys: string, body = '', files: PackageTexts = {}): Artifact {
  return artifactOf(id, { 'ARTIFACT.md': `---\nversion: 1.0.0\n${keys}---\n${body}`, ...files });
}

function skill(name: string, more: PackageTexts = {}, keys = ''): Artifact {
  const text = `---\nname: ${name}\ndescription: What ${name} does.\n${keys}---\nDo it.\n`;
  return artifact(`ops/${name}`, 'type: skill\n', '', { 'SKILL.md': text, ...more });
}

const RULE = artifact(
  'ops/style',
  'type: rule\ndescription: House style.\nrule_mode: glob\nrule_globs: "*.ts"\n',
  'Short lines.\n',
  { 'references/style.md': 'More.\n' },
);
const HOOK = artifact(
  'ops/guard',
  'type: hook\nhook_event: pre_shell_execution\nhook_action: ./scripts/guard.sh --strict\n',
  '',
  { 'scripts/guard.sh': 'exit 0\n' },
);
const AGENT = artifact('ops/reviewer', 'type: agent\ndescription: Reviews.\n', 'Review.\n', {
  'references/how.md': 'How.\n',
});
const COMMAND = artifact('ops/ship', 'type: command\ndescription: Ships.\n', 'Ship $ARGUMENTS.\n', {
  'assets/list.txt': 'a\n',
});
const CONTEXT = artifact('ops/glossary', 'type: context\ndescription: Words.\n', 'Words.\n', {
  'references/words.md': 'W\n',
});
const SERVER = artifact(
  'ops/tickets',
  'type: mcp-server\nname: tickets\ncommand: npx\nargs: [t]\n',
  '',
  {
    'assets/icon.txt': 'i\n',
  },
);
const EVERYTHING = [
  skill('check', { 'scripts/check.sh': 'true\n' }),
  RULE,
  HOOK,
  AGENT,
  COMMAND,
  CONTEXT,
  SERVER,
];

function render(
  harnesses: string[],
  artifacts: readonly Artifact[] = EVERYTHING,
  options: { on_clash: 'fail' | 'qualify' } = { on_clash: 'fail' },
): MarketplaceRendering & { tree: Record<string, string> } {
  const { formats } = findFormats(harnesses);
  const plugins = [{ name: 'ops-tools', description: 'For operators.', artifacts }];
  const rendering = renderMarketplace(
    { name: 'acme', description: undefined, plugins, formats },
    options,
  );
  return { ...rendering, tree: treeOf(rendering) };
}

function treeOf({ plan }: MarketplaceRendering): Record<string, string> {
  return Object.fromEntries(
    plan.files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]),
  );
}

function read(tree: Record<string, string>, path: string): unknown {
  return JSON.parse(tree[path] ?? 'null');
}

function skippedIds({ plan }: MarketplaceRendering): string[] {
  return plan.unsupported.map(({ artifact_id }) => artifact_id);
}

test.each(['harness-a', 'cursor', 'gemini-cli', 'agent-plugins'])(
  'plugin for %s has no trigger tests',
  (harness) => {
    const more = { 'evals/triggers.yaml': '- query: check\n', 'references/evals.md': 'E\n' };
    const { tree } = render(
      [harness],
      [
        skill('check', more),
        { ...HOOK, resources: [...HOOK.resources, ...skill('check', more).resources] },
      ],
    );
    const paths = Object.keys(tree);
    expect(paths.filter((path) => path.includes('references/evals.md'))).not.toEqual([]);
    expect(paths.filter((path) => path.includes('evals/'))).toEqual([]);
  },
);

describe('shared marketplace', () => {
  const { tree, plugins, plan } = render(['harness-a']);
  const folder = 'harness-a/ops-tools';

  verifies(['MKT-01', 'MKT-14'], 'lists its plugins with their versions and its owner', () => {
    expect(read(tree, '.harness-a-plugin/marketplace.json')).toEqual({
      name: 'acme',
      owner: { name: 'acme' },
      plugins: [
        {
          name: 'ops-tools',
          version: plugins[0]?.version,
          description: 'For operators.',
          source: './harness-a/ops-tools',
        },
      ],
    });
    expect(read(tree, `${folder}/.harness-a-plugin/plugin.json`)).toMatchObject({
      name: 'ops-tools',
      version: plugins[0]?.version,
    });
  });

  verifies(
    ['MKT-02', 'MKT-03', 'MKT-11'],
    'is the same for the three harnesses that import the marketplace',
    () => {
      expect(render(['harness-b']).tree).toEqual(tree);
      expect(render(['harness-c']).tree).toEqual(tree);
      expect(render(['harness-a', 'harness-b', 'harness-c']).tree).toEqual(tree);
    },
  );

  verifies('HC-09', 'contains artifacts for harness-c that a workspace sync cannot write', () => {
    expect(render(['harness-c']).plugins[0]?.artifacts).toEqual([
      'ops/check',
      'ops/guard',
      'ops/reviewer',
      'ops/ship',
      'ops/style',
      'ops/tickets',
    ]);
  });

  verifies('MKT-17', 'includes the bundled files of skills', () => {
    expect(tree[`${folder}/skills/check/scripts/check.sh`]).toBe('true\n');
    const script = plan.files.find(({ path }) => path.endsWith('check.sh'));
    expect(script?.executable).toBe(true);
  });

  verifies('MKT-18', 'includes the scripts of hooks in the plugin', () => {
    expect(tree[`${folder}/.catalog/resources/ops/guard/scripts/guard.sh`]).toBe('exit 0\n');
    expect(read(tree, `${folder}/hooks/hooks.json`)).toEqual({
      hooks: {
        PreToolUse: [
          {
            matcher: '^Bash$',
            hooks: [
              {
                type: 'command',
                command:
                  '${HARNESS_A_PLUGIN_ROOT}/.catalog/resources/ops/guard/scripts/guard.sh --strict',
              },
            ],
          },
        ],
      },
    });
  });

  verifies('MKT-19', 'converts a rule to a skill with its files', () => {
    expect(tree[`${folder}/skills/style/SKILL.md`]).toBe(
      '---\nname: style\ndescription: House style. Applies to files that match *.ts.\n---\nShort lines.\n',
    );
    expect(tree[`${folder}/skills/style/references/style.md`]).toBe('More.\n');
    expect(plan.fallbacks.map(({ artifact_id }) => artifact_id)).toEqual(['ops/style']);
  });

  verifies('MKT-20', 'omits bundled files of other types', () => {
    const names = Object.keys(tree);
    for (const file of ['how.md', 'list.txt', 'words.md', 'icon.txt']) {
      expect(names.filter((path) => path.endsWith(file))).toEqual([]);
    }
    const others = Object.keys(render(['harness-d']).tree);
    expect(others.filter((path) => path.endsWith('style.md'))).toEqual([]);
    expect(others).toContain('harness-d/ops-tools/rules/style.mdc');
  });

  test('writes agents, commands and servers in their own formats', () => {
    expect(tree[`${folder}/agents/reviewer.md`]).toContain('Review.\n');
    expect(tree[`${folder}/commands/ship.md`]).toContain('Ship $ARGUMENTS.\n');
    expect(read(tree, `${folder}/.mcp.json`)).toEqual({
      mcpServers: { tickets: { command: 'npx', args: ['t'] } },
    });
  });

  test('skips and reports types without a component', () => {
    expect(plan.unsupported).toEqual([
      {
        artifact_id: 'ops/glossary',
        harness: 'harness-a',
        capabilities: [],
        reason: 'harness-a marketplaces have no component for the type context',
      },
    ]);
  });

  test('limits SKILL.md to keys of the open specification if harnesses other than harness-a import the marketplace', () => {
    const rich = skill('rich', {}, 'model: big\nallowed-tools: [Read, "Bash(git *)"]\n');
    const path = `${folder}/skills/rich/SKILL.md`;
    expect(render(['harness-a'], [rich]).tree[path]).toBe(rich.skill?.text);
    const rendered = render(['harness-a', 'harness-c'], [rich]);
    expect(rendered.plan.fallbacks).toMatchObject([
      { reason: expect.stringMatching(/^model of its SKILL\.md is left out/) },
    ]);
    expect(rendered.tree[path]).toBe(
      '---\nname: rich\ndescription: What rich does.\nallowed-tools: Read Bash(git *)\n---\nDo it.\n',
    );
  });

  test('writes a list of allowed tools as a string of the open specification', () => {
    const listed = skill('listed', {}, 'allowed-tools: [Read, "Bash(git *)"]\n');
    const { tree: rendered, plan: planned } = render(['harness-a', 'harness-c'], [listed]);
    expect(planned.fallbacks).toEqual([]);
    expect(rendered[`${folder}/skills/listed/SKILL.md`]).toContain(
      '\nallowed-tools: Read Bash(git *)\n',
    );
  });
});

describe('marketplace of harness-d', () => {
  const { tree } = render(['harness-d']);

  verifies(['MKT-04', 'MKT-15'], 'lists its plugins in the closed format, with an owner', () => {
    expect(read(tree, '.harness-d-plugin/marketplace.json')).toEqual({
      name: 'acme',
      owner: { name: 'acme' },
      plugins: [
        { name: 'ops-tools', source: './harness-d/ops-tools', description: 'For operators.' },
      ],
    });
  });

  test('contains rules, hooks and servers', () => {
    expect(tree['harness-d/ops-tools/rules/style.mdc']).toContain('globs');
    expect(read(tree, 'harness-d/ops-tools/hooks/hooks.json')).toMatchObject({
      version: 1,
      hooks: { beforeShellExecution: [{ command: expect.stringContaining('guard.sh') }] },
    });
    expect(read(tree, 'harness-d/ops-tools/mcp.json')).toMatchObject({ mcpServers: {} });
  });

  test('skips a hook with an unsupported event', () => {
    const late = artifact('ops/late', 'type: hook\nhook_event: session_end\nhook_action: echo\n');
    expect(skippedIds(render(['harness-d'], [late]))).toEqual(['ops/late']);
  });
});

verifies(['MKT-07', 'MKT-16'], 'writes a plugin list without an owner for harness-f', () => {
  const rendering = render(['harness-f']);
  const list = read(rendering.tree, '.agents/plugins/marketplace.json');
  expect(list).toMatchObject({
    name: 'acme',
    plugins: [{ name: 'ops-tools', source: { source: 'local', path: './harness-f/ops-tools' } }],
  });
  expect(list).not.toHaveProperty('owner');
  expect(rendering.tree).toHaveProperty('harness-f/ops-tools/.harness-f-plugin/plugin.json');
  expect(read(rendering.tree, 'harness-f/ops-tools/.mcp.json')).toMatchObject({
    mcpServers: { tickets: { command: 'npx' } },
  });
  expect(skippedIds(rendering).toSorted()).toEqual([
    'ops/glossary',
    'ops/reviewer',
    'ops/ship',
    'ops/style',
  ]);
});

verifies('MKT-12', 'three formats in one repository have the same files as each has alone', () => {
  const together = render(['harness-a', 'harness-d', 'harness-f']).tree;
  expect(together).toEqual({
    ...render(['harness-a']).tree,
    ...render(['harness-d']).tree,
    ...render(['harness-f']).tree,
  });
});

verifies('MKT-08', 'renders one extension at the repository root for harness-g', () => {
  const { tree, plugins } = render(['harness-g']);
  expect(read(tree, 'harness-g-extension.json')).toEqual({
    name: 'ops-tools',
    version: plugins[0]?.version,
    description: 'For operators.',
    contextFileName: 'HARNESS-G.md',
    mcpServers: { tickets: { command: 'npx', args: ['t'] } },
  });
  expect(tree['HARNESS-G.md']).toBe('Short lines.\n');
  expect(tree['commands/ship.toml']).toContain('prompt');
  expect(
    read(render(['harness-g'], [COMMAND]).tree, 'harness-g-extension.json'),
  ).not.toHaveProperty('contextFileName');
});

verifies('MKT-09', 'renders a package that lists its skills for harness-h', () => {
  const { tree } = render(['harness-h']);
  expect(read(tree, 'package.json')).toMatchObject({
    name: 'acme',
    version: expect.stringMatching(/^2\.0\.0\+[0-9a-f]{8}$/),
    keywords: ['harness-h-package'],
    'harness-h': { skills: ['./skills'], prompts: ['./prompts'] },
  });
  expect(tree).toHaveProperty('skills/check/SKILL.md');
  expect(tree).toHaveProperty('prompts/ship.md');
});

verifies('MKT-10', 'renders a repository with only skills for harness-i', () => {
  expect(Object.keys(render(['harness-i']).tree)).toEqual([
    'skills/check/SKILL.md',
    'skills/check/scripts/check.sh',
  ]);
});

describe('Agent Plugins package', () => {
  test('has its manifest, skills and servers at fixed paths', () => {
    const { tree } = render(['agent-plugins']);
    expect(Object.keys(tree).toSorted()).toEqual([
      'agent-plugins/ops-tools/mcp.json',
      'agent-plugins/ops-tools/plugin.json',
      'agent-plugins/ops-tools/skills/check/SKILL.md',
      'agent-plugins/ops-tools/skills/check/scripts/check.sh',
    ]);
    expect(read(tree, 'agent-plugins/ops-tools/plugin.json')).toMatchObject({
      $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json',
      name: 'ops-tools',
    });
    expect(read(tree, 'agent-plugins/ops-tools/mcp.json')).toEqual({
      $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json',
      mcpServers: { tickets: { type: 'stdio', command: 'npx', args: ['t'] } },
    });
  });

  test.each([
    ['a secret', 'command: npx\nenv: {KEY: "${secret:KEY}"}\n'],
    ['an address without TLS', 'url: http://tickets.example/mcp\n'],
    ['a command elsewhere', 'command: /usr/bin/tickets\n'],
  ])('omits a server with %s', (_what, keys) => {
    const server = artifact('ops/x', `type: mcp-server\n${keys}`);
    expect(skippedIds(render(['agent-plugins'], [server]))).toEqual(['ops/x']);
  });
});

describe('plugin version', () => {
  test('is the sum of the artifact versions and changes with their content', () => {
    const first = skill('one');
    const second = artifactOf('ops/two', {
      'ARTIFACT.md': '---\ntype: skill\nversion: 2.7.12\n---\n',
      'SKILL.md': '---\nname: two\ndescription: D.\n---\nDo.\n',
    });
    const [plugin] = render(['harness-a'], [first, second]).plugins;
    expect(plugin?.version).toMatch(/^3\.7\.12\+[0-9a-f]{8}$/);
    const changed = skill('one', { 'references/a.md': 'A\n' });
    const [other] = render(['harness-a'], [changed, second]).plugins;
    expect(other?.version).toMatch(/^3\.7\.12\+/);
    expect(other?.version).not.toBe(plugin?.version);
  });

  test('changes if the same artifacts render differently for additional readers', () => {
    const own = artifactOf('ops/check', {
      'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
      'SKILL.md': '---\nname: check\ndescription: D.\nmodel: opus\n---\nDo.\n',
    });
    const alone = render(['claude-code'], [own]);
    const shared = render(['claude-code', 'claude-cowork'], [own]);
    const path = 'claude/ops-tools/skills/check/SKILL.md';
    expect(shared.tree[path]).not.toBe(alone.tree[path]);
    expect(shared.plugins[0]?.version).not.toBe(alone.plugins[0]?.version);
  });

  test('does not depend on the order of the artifacts', () => {
    const there = render(['harness-a', 'harness-d', 'harness-f']);
    const back = render(['harness-a', 'harness-d', 'harness-f'], EVERYTHING.toReversed());
    expect(back).toEqual(there);
  });
});

describe('artifact selection', () => {
  test('applies target_harnesses to all readers of a format', () => {
    const only = artifact(
      'ops/web',
      'type: agent\ndescription: D.\ntarget_harnesses: [harness-c]\n',
    );
    expect(render(['harness-a', 'harness-c'], [only]).plugins[0]?.artifacts).toEqual(['ops/web']);
    const without = render(['harness-a'], [only]);
    expect(without.plugins).toEqual([]);
    expect(without.plan.left_out.map(({ artifact_id }) => artifact_id)).toEqual(['ops/web']);
  });

  test('rejects an id that would be a hidden directory', () => {
    const hidden = { ...skill('check'), id: '.claude/hooks' };
    expect(() => render(['harness-i'], [hidden])).toThrow(/starts with a dot/);
  });

  test('rejects a document path outside the repository', () => {
    const [chosen] = findFormats(['harness-a']).formats;
    if (chosen === undefined) throw new Error('no format');
    const format: MarketplaceFormat = {
      ...chosen.format,
      documents: () => [{ path: '../list.json', plugin: undefined, content: {} }],
    };
    const plugins = [{ name: 'ops', description: undefined, artifacts: EVERYTHING }];
    const market = { name: 'acme', description: undefined, plugins };
    expect(() =>
      renderMarketplace({ ...market, formats: [{ ...chosen, format }] }, { on_clash: 'fail' }),
    ).toThrow(/"\.\.\/list\.json"/);
  });

  test('rejects two artifacts with one name, or qualifies them with their domains', () => {
    const rule = artifact('dev/check', 'type: rule\ndescription: D.\n', 'R.\n');
    const both = [skill('check'), rule];
    expect(() => render(['harness-a'], both)).toThrow(/ops\/check/);
    const { tree } = render(['harness-a'], both, { on_clash: 'qualify' });
    expect(Object.keys(tree)).toEqual(
      expect.arrayContaining([
        'harness-a/ops-tools/skills/dev-check/SKILL.md',
        'harness-a/ops-tools/skills/ops-check/SKILL.md',
      ]),
    );
  });
});
