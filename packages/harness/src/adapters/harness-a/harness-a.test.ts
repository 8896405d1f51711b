import { lintArtifacts } from '@catalog/core/lint/lint-artifacts';
import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf, type PackageTexts } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import type { ManagedEntry } from '../../adapter.ts';
import { checkCapabilities } from '../../check-capabilities.ts';
import { planArtifacts } from '../../plan.ts';
import type { Plan } from '../../planned.ts';
import { harnessCapabilities } from '../../registry.ts';
import { harnessA } from './index.ts';

function plan(...artifacts: Artifact[]): Plan {
  return planArtifacts(artifacts, harnessA, { on_clash: 'fail' });
}

function texts(files: Plan['files']): Record<string, string> {
  return Object.fromEntries(
    files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]),
  );
}

function entryOf(artifact: Artifact): { path: string; entry: ManagedEntry } {
  const [planned] = plan(artifact).entries;
  if (planned === undefined) throw new Error('no entry was planned');
  return { path: planned.path, entry: planned.entry };
}

function artifact(id: string, keys: string, body = '', files: PackageTexts = {}): Artifact {
  return artifactOf(id, { 'ARTIFACT.md': `---\nversion: 1.0.0\n${keys}---\n${body}`, ...files });
}

const SKILL = '---\nname: check\ndescription: Verify a release.\n---\nRun scripts/check.sh.\n';

describe('skills', () => {
  verifies('HA-01', 'writes a skill and its bundled files to a separate directory', () => {
    const skill = artifact('ops/deploy/check', 'type: skill\n', '', {
      'SKILL.md': SKILL,
      'scripts/check.sh': 'true\n',
      'references/a.md': 'A\n',
    });
    const { files } = plan(skill);
    expect(texts(files)).toEqual({
      '.harness-a/skills/check/SKILL.md': SKILL,
      '.harness-a/skills/check/references/a.md': 'A\n',
      '.harness-a/skills/check/scripts/check.sh': 'true\n',
    });
    expect(files.filter(({ executable }) => executable).map(({ path }) => path)).toEqual([
      '.harness-a/skills/check/scripts/check.sh',
    ]);
  });

  test('copies a skill without an ARTIFACT.md unchanged', () => {
    const bare = artifactOf('check', { 'SKILL.md': SKILL });
    expect(texts(plan(bare).files)).toEqual({ '.harness-a/skills/check/SKILL.md': SKILL });
  });

  test('adds host requirements to a skill that does not state them', () => {
    const needs =
      'type: skill\nruntime_requirements: {python: ">=3.11"}\nsandbox_profile: read-only-fs\n';
    const withoutNeeds = artifact('ops/check', needs, '', { 'SKILL.md': SKILL });
    expect(texts(plan(withoutNeeds).files)['.harness-a/skills/check/SKILL.md']).toBe(
      SKILL.replace(
        '\n---\nRun',
        '\ncompatibility: "Requires Python >=3.11. Sandbox profile: read-only-fs."\n---\nRun',
      ),
    );
    const spoken = SKILL.replace('\n---\nRun', '\ncompatibility: Needs luck.\n---\nRun');
    const own = artifact('ops/check', needs, '', { 'SKILL.md': spoken });
    expect(texts(plan(own).files)['.harness-a/skills/check/SKILL.md']).toBe(spoken);
  });

  test('rejects a skill without a SKILL.md', () => {
    const { files, unsupported } = plan(artifact('ops/check', 'type: skill\n'));
    expect(files).toEqual([]);
    expect(unsupported).toEqual([
      {
        artifact_id: 'ops/check',
        harness: 'harness-a',
        capabilities: [],
        reason: 'the skill has no SKILL.md',
      },
    ]);
  });
});

describe('agents, commands, context and extension types', () => {
  const PROSE = 'Read scripts/a.py and [notes](references/n.md).\n';
  const bundled = { 'scripts/a.py': '1', 'references/n.md': 'N' };

  verifies(
    ['HA-02', 'HA-12', 'HA-14'],
    'writes an agent as authored, with its files in a separate directory',
    () => {
      const agent = artifact('ops/bots/triager', 'type: agent\nname: triager\n', PROSE, bundled);
      expect(texts(plan(agent).files)).toEqual({
        '.harness-a/agents/triager.md': `---\nversion: 1.0.0\ntype: agent\nname: triager\n---\n${PROSE}`,
        '.harness-a/catalog/ops/bots/triager/references/n.md': 'N',
        '.harness-a/catalog/ops/bots/triager/scripts/a.py': '1',
      });
    },
  );

  verifies(
    ['HA-04', 'HA-13', 'HA-14'],
    'writes a command as authored, with its files in a separate directory',
    () => {
      const command = artifact('ops/ship', 'type: command\n', `Ship $ARGUMENTS. ${PROSE}`, bundled);
      expect(texts(plan(command).files)).toEqual({
        '.harness-a/commands/ship.md': `---\nversion: 1.0.0\ntype: command\n---\nShip $ARGUMENTS. ${PROSE}`,
        '.catalog/resources/ops/ship/references/n.md': 'N',
        '.catalog/resources/ops/ship/scripts/a.py': '1',
      });
    },
  );

  verifies('HA-08', 'writes context with its files under its id', () => {
    const context = artifact('ops/ref/terms', 'type: context\n', 'Terms.\n', bundled);
    expect(texts(plan(context).files)).toEqual({
      '.catalog/context/ops/ref/terms/ARTIFACT.md':
        '---\nversion: 1.0.0\ntype: context\n---\nTerms.\n',
      '.catalog/context/ops/ref/terms/references/n.md': 'N',
      '.catalog/context/ops/ref/terms/scripts/a.py': '1',
    });
  });

  verifies('HA-12', 'writes an extension type with its files', () => {
    const dataset = artifact('ops/data', 'type: dataset\n', 'Rows.\n', bundled);
    expect(Object.keys(texts(plan(dataset).files))).toEqual([
      '.harness-a/catalog/ops/data/ARTIFACT.md',
      '.harness-a/catalog/ops/data/references/n.md',
      '.harness-a/catalog/ops/data/scripts/a.py',
    ]);
  });
});

describe('rules', () => {
  function rule(keys: string, body = 'Do not release on Friday.\n'): string | undefined {
    const { files } = plan(
      artifact('ops/guard/no-friday', `type: rule\n${keys}`, body, { 'more.md': 'M' }),
    );
    expect(files.map(({ path }) => path)).toEqual(['.harness-a/rules/no-friday.md']);
    return Object.values(texts(files))[0];
  }

  verifies(['HA-03', 'RULE-01'], 'writes a rule with mode always as prose only', () => {
    expect(rule('rule_mode: always\n')).toBe('Do not release on Friday.\n');
    expect(rule('')).toBe('Do not release on Friday.\n');
  });

  verifies(['HA-03', 'RULE-02'], 'writes the globs of a rule as native paths', () => {
    expect(rule('rule_mode: glob\nrule_globs: "deploy/**, src/*.{ts,tsx}"\n')).toBe(
      '---\npaths:\n  - "deploy/**"\n  - "src/*.{ts,tsx}"\n---\nDo not release on Friday.\n',
    );
  });

  verifies(
    ['RULE-03', 'RULE-04'],
    'converts modes that harness-a lacks to a rule that always applies, with a warning',
    () => {
      for (const mode of ['auto', 'explicit']) {
        const keys = `type: rule\nname: no-friday\ndescription: Avoid releases on a Friday.\nrule_mode: ${mode}\nrule_description: When shipping.\ntarget_harnesses: [harness-a]\n`;
        expect(rule(keys.replace('type: rule\n', ''))).toBe('Do not release on Friday.\n');
        const degraded = artifact('ops/no-friday', keys, 'Prose.\n');
        const capability = `rule_mode:${mode}` as const;
        expect(checkCapabilities(harnessA, degraded)).toEqual({
          unsupported: [],
          fallback: [capability],
        });
        expect(plan(degraded).fallbacks).toEqual([
          {
            artifact_id: 'ops/no-friday',
            capability,
            reason: 'harness-a has no rules of this mode, so the rule is loaded always',
          },
        ]);
        const findings = lintArtifacts([degraded], {
          known_ids: new Set(),
          capabilities: harnessCapabilities(),
        });
        expect(findings.map(({ code, severity }) => [code, severity])).toContainEqual([
          'lint.harness_capability',
          'warning',
        ]);
      }
    },
  );

  test('separates prose that begins with a fence from frontmatter', () => {
    expect(rule('', '---\npaths: [x]\n---\n')).toBe('\n---\npaths: [x]\n---\n');
  });
});

describe('hooks', () => {
  function hook(event: string, action = 'bash scripts/log.sh'): Artifact {
    return artifact(
      'ops/guard/log-it',
      `type: hook\nhook_event: ${event}\nhook_action: ${JSON.stringify(action)}\n`,
      '',
      {
        'scripts/log.sh': 'true\n',
      },
    );
  }

  verifies(
    ['HA-05', 'HA-06', 'HA-15'],
    'writes hooks as entries tagged with their id in the settings',
    () => {
      expect(entryOf(hook('stop'))).toEqual({
        path: '.harness-a/settings.json',
        entry: {
          shape: 'array',
          recorded: 'file',
          container: ['hooks', 'Stop'],
          key: 'ops/guard/log-it',
          artifact_id: 'ops/guard/log-it',
          value: {
            hooks: [
              {
                type: 'command',
                command: 'bash .catalog/resources/ops/guard/log-it/scripts/log.sh',
              },
            ],
            'x-catalog-id': 'ops/guard/log-it',
          },
        },
      });
    },
  );

  verifies('HA-07', 'writes the scripts of a hook to the path in its command', () => {
    expect(plan(hook('stop')).files).toMatchObject([
      { path: '.catalog/resources/ops/guard/log-it/scripts/log.sh', executable: true },
    ]);
  });

  function native(event: string): { event: string | undefined; matcher: unknown } {
    const { entry } = entryOf(hook(event));
    return { event: entry.container[1], matcher: Object(entry.value)['matcher'] };
  }

  verifies('HMATCH-01', 'limits shell events to the shell tool', () => {
    expect(native('pre_shell_execution')).toEqual({ event: 'PreToolUse', matcher: '^Bash$' });
    expect(native('post_shell_execution')).toEqual({ event: 'PostToolUse', matcher: '^Bash$' });
  });

  verifies('HMATCH-02', 'limits MCP events to MCP tools', () => {
    expect(native('pre_mcp_execution')).toEqual({ event: 'PreToolUse', matcher: '^mcp__' });
    expect(native('post_mcp_execution')).toEqual({ event: 'PostToolUse', matcher: '^mcp__' });
  });

  verifies('HMATCH-03', 'limits read events to the read tool', () => {
    expect(native('pre_read_file')).toEqual({ event: 'PreToolUse', matcher: '^Read$' });
  });

  verifies('HMATCH-04', 'limits edit events to the tools that edit', () => {
    expect(native('post_file_edit')).toEqual({
      event: 'PostToolUse',
      matcher: '^(Edit|Write|NotebookEdit)$',
    });
  });

  verifies('HMATCH-05', 'limits subagent events to the tool that starts a subagent', () => {
    expect(native('subagent_start')).toEqual({ event: 'PreToolUse', matcher: '^Task$' });
  });

  test.each([
    ['pre_tool_use', 'PreToolUse'],
    ['post_tool_use', 'PostToolUse'],
    ['post_tool_use_failure', 'PostToolUseFailure'],
    ['permission_request', 'PermissionRequest'],
    ['permission_denied', 'PermissionDenied'],
    ['post_compact', 'PostCompact'],
  ])('maps %s to %s without a matcher', (event, expected) => {
    expect(native(event)).toEqual({ event: expected, matcher: undefined });
  });

  test.each(['ops/my hook', 'ops/a;b', 'ops/$HOME', 'ops/it`s', 'ops/a&b'])(
    'rejects a hook with an id like %j, which a shell would interpret',
    (id) => {
      const action = 'type: hook\nhook_event: stop\nhook_action: bash scripts/log.sh\n';
      const { unsupported, entries } = plan(artifact(id, action, '', { 'scripts/log.sh': 'true' }));
      expect(entries).toEqual([]);
      expect(unsupported[0]?.reason).toContain('a shell reads as its own');
    },
  );

  test('rejects a hook without an event or an action', () => {
    const { unsupported, entries } = plan(artifact('ops/x', 'type: hook\nhook_event: stop\n'));
    expect(entries).toEqual([]);
    expect(unsupported[0]?.reason).toContain('hook_action');
  });
});

describe('mcp servers', () => {
  function server(keys: string, id = 'ops/tools/warehouse'): { path: string; entry: ManagedEntry } {
    return entryOf(artifact(id, `type: mcp-server\n${keys}`));
  }

  verifies('HA-09', 'writes MCP servers under their own name', () => {
    expect(server('name: wh\nserver_identifier: npx:wh-mcp\n')).toEqual({
      path: '.mcp.json',
      entry: {
        shape: 'map',
        recorded: 'file',
        container: ['mcpServers'],
        key: 'wh',
        artifact_id: 'ops/tools/warehouse',
        value: { command: 'npx', args: ['wh-mcp'] },
      },
    });
  });

  verifies('HA-10', 'writes MCP servers without a name under the last segment of the id', () => {
    expect(server('server_identifier: wh\n').entry.key).toBe('warehouse');
  });

  verifies('DROP-03', 'does not write bundled files of an MCP server', () => {
    const bundled = artifact('ops/wh', 'type: mcp-server\nserver_identifier: wh\n', 'See docs.\n', {
      'docs/a.md': 'A',
    });
    expect(plan(bundled)).toMatchObject({ files: [], entries: [{ path: '.mcp.json' }] });
  });

  test.each([
    ['server_identifier: https://example.com/mcp\n', { url: 'https://example.com/mcp' }],
    ['server_identifier: wh-server\n', { command: 'wh-server' }],
    ['server_identifier: "npx:@acme/wh:latest"\n', { command: 'npx', args: ['@acme/wh:latest'] }],
    [
      'command: node\nargs: [server.js, "${secret:WH_KEY}"]\nenv: {KEY: "a ${secret:WH_KEY} b"}\n',
      { command: 'node', args: ['server.js', '${WH_KEY}'], env: { KEY: 'a ${WH_KEY} b' } },
    ],
    [
      'url: "https://${secret:HOST}/mcp"\ntransport: http\nheaders: {Authorization: "Bearer ${secret:T}"}\n',
      { type: 'http', url: 'https://${HOST}/mcp', headers: { Authorization: 'Bearer ${T}' } },
    ],
    [
      'server_identifier: npx:wh-mcp\nargs: ["-y", wh-mcp]\ntransport: stdio\n',
      { type: 'stdio', command: 'npx', args: ['-y', 'wh-mcp'] },
    ],
    ['server_identifier: https://a.example\ncommand: node\n', { command: 'node' }],
    [
      'command: x\nenv: {A: "${secret:not a name}"}\n',
      { command: 'x', env: { A: '${secret:not a name}' } },
    ],
  ])('writes %j as %j', (keys, value) => {
    expect(server(keys).entry.value).toEqual(value);
  });

  test('rejects an MCP server without an identifier, a command or a URL', () => {
    const { unsupported } = plan(artifact('ops/wh', 'type: mcp-server\n'));
    expect(unsupported[0]?.reason).toContain('server_identifier');
  });

  test('accepts __proto__ as the name of an MCP server', () => {
    expect(server('command: x\n', 'ops/__proto__').entry.key).toBe('__proto__');
  });
});

describe('imported prose', () => {
  const imported = 'Mine.\n<!-- begin imported source="wiki" -->\nTheirs.\n<!-- end imported -->\n';
  const marked = 'Mine.\n<untrusted-data source="wiki">\nTheirs.\n</untrusted-data>\n';

  test.each(['agent', 'command', 'context', 'rule', 'dataset'])('is marked in a %s', (type) => {
    const text = Object.values(
      texts(plan(artifact('ops/x', `type: ${type}\n`, imported)).files),
    )[0];
    expect(text?.endsWith(marked)).toBe(true);
  });

  test('is marked in a skill if ARTIFACT.md names a source', () => {
    const skill = artifact('ops/x', 'type: skill\nsource: https://wiki.example\n', '', {
      'SKILL.md': '---\nname: x\ndescription: D.\n---\nTheirs.\n',
    });
    expect(Object.values(texts(plan(skill).files))).toEqual([
      '---\nname: x\ndescription: D.\n---\n<untrusted-data source="https://wiki.example">\nTheirs.\n</untrusted-data>\n',
    ]);
  });
});
