import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { ingestWarnings } from './ingest-warnings.ts';
import { lintWarnings } from './lint-warnings.ts';
import { deliver, openPlace } from './place.ts';
import { AGENT, COMMAND, CONTEXT, RULE, SKILL, TYPES, catalogOf, hook, rule } from './samples.ts';

async function tree(): Promise<Record<string, string>> {
  return (await deliver('harness-d', catalogOf(...TYPES))).tree();
}

describe('harness-d', () => {
  test('installs every type and writes no other files', async () => {
    expect(Object.keys(await tree())).toEqual([
      '.catalog/context/ops/terms/ARTIFACT.md',
      '.catalog/context/ops/terms/more.md',
      '.catalog/resources/ops/log-stop/scripts/log.sh',
      '.catalog/resources/ops/ship/templates/note.md',
      '.catalog/resources/ops/triager/scripts/rank.py',
      '.harness-d/agents/triager.md',
      '.harness-d/commands/ship.md',
      '.harness-d/hooks.json',
      '.harness-d/mcp.json',
      '.harness-d/rules/no-friday.mdc',
      '.harness-d/skills/check/SKILL.md',
      '.harness-d/skills/check/assets/form.txt',
      '.harness-d/skills/check/references/policy.md',
      '.harness-d/skills/check/scripts/check.sh',
    ]);
  });

  verifies(
    ['HD-01', 'RULE-07', 'DROP-01'],
    'writes a rule as an .mdc file without its bundled files',
    async () => {
      const files = await tree();
      expect(files['.harness-d/rules/no-friday.mdc']).toBe(`---\nalwaysApply: true\n---\n${RULE}`);
      expect(Object.keys(files).filter((path) => path.includes('calendar'))).toEqual([]);
    },
  );

  const attributes: [string, string, string][] = [
    ['RULE-08', 'glob', 'globs: "deploy/**"\n'],
    ['RULE-09', 'auto', 'description: "When shipping."\n'],
    ['RULE-10', 'explicit', ''],
  ];
  for (const [row, mode, keys] of attributes) {
    verifies([row, 'HD-01'], `writes a rule with mode ${mode} in the native format`, async () => {
      const place = openPlace('harness-d', { 'ops/no-friday/ARTIFACT.md': rule(mode) });
      const report = await place.sync();
      expect(place.tree()).toEqual({
        '.harness-d/rules/no-friday.mdc': `---\n${keys}---\n${RULE}`,
      });
      expect(report.targets[0]?.fallbacks).toEqual([]);
    });
  }

  verifies('HD-02', 'writes a skill to its own folder', async () => {
    expect((await tree())['.harness-d/skills/check/SKILL.md']).toBe(SKILL);
  });

  verifies('HD-03', 'writes an agent verbatim', async () => {
    expect((await tree())['.harness-d/agents/triager.md']).toBe(AGENT);
  });

  verifies('HD-04', 'writes a command verbatim', async () => {
    expect((await tree())['.harness-d/commands/ship.md']).toBe(COMMAND);
  });

  verifies(['HD-05', 'HD-07'], "merges a hook into the user's hooks", async () => {
    const mine = '{\n  "version": 1,\n  "hooks": {\n    "stop": [{ "command": "mine" }]\n  }\n}\n';
    const place = openPlace('harness-d', catalogOf('hook'), { '.harness-d/hooks.json': mine });
    await place.sync();
    expect(JSON.parse(place.tree()['.harness-d/hooks.json'] ?? '')).toEqual({
      version: 1,
      hooks: {
        stop: [
          { command: 'mine' },
          {
            command: 'bash .catalog/resources/ops/log-stop/scripts/log.sh',
            'x-catalog-id': 'ops/log-stop',
          },
        ],
      },
    });
    place.withdraw('ops/log-stop');
    await place.sync();
    expect(place.tree()).toEqual({ '.harness-d/hooks.json': mine });
  });

  verifies('HD-06', 'writes the scripts of a hook to the path in its command', async () => {
    expect((await tree())['.catalog/resources/ops/log-stop/scripts/log.sh']).toBe(
      '(x) #!/bin/sh\n',
    );
  });

  verifies('HD-08', 'merges a server into its file', async () => {
    const mine = '{\n  // mine\n  "mcpServers": { "own": { "command": "own" } }\n}\n';
    const place = openPlace('harness-d', catalogOf('mcp-server'), {
      '.harness-d/mcp.json': mine,
    });
    await place.sync();
    const text = place.tree()['.harness-d/mcp.json'] ?? '';
    expect(text).toContain('// mine');
    expect(JSON.parse(text.replace('// mine', ''))).toEqual({
      mcpServers: {
        own: { command: 'own' },
        wh: { command: 'npx', args: ['wh-mcp'], env: { KEY: '${WH_KEY}' } },
      },
      'x-catalog': { 'ops/warehouse': ['mcpServers', 'wh'] },
    });
  });

  verifies('HD-09', 'writes context under its id', async () => {
    expect((await tree())['.catalog/context/ops/terms/ARTIFACT.md']).toBe(CONTEXT);
  });
});

describe('the hook events of harness-d', () => {
  function hookOf(event: string): Record<string, string | { x: string }> {
    return {
      'ops/log-stop/ARTIFACT.md': hook(event),
      'ops/log-stop/scripts/log.sh': { x: '#!/bin/sh\n' },
    };
  }

  verifies('HD-10', 'include six native events', async () => {
    const native = {
      user_prompt_submit: 'beforeSubmitPrompt',
      pre_shell_execution: 'beforeShellExecution',
      pre_mcp_execution: 'beforeMCPExecution',
      pre_read_file: 'beforeReadFile',
      post_file_edit: 'afterFileEdit',
      stop: 'stop',
    };
    for (const [event, name] of Object.entries(native)) {
      const files = (await deliver('harness-d', hookOf(event))).tree();
      const { hooks } = JSON.parse(files['.harness-d/hooks.json'] ?? '');
      expect(hooks).toEqual({
        [name]: [
          {
            command: 'bash .catalog/resources/ops/log-stop/scripts/log.sh',
            'x-catalog-id': 'ops/log-stop',
          },
        ],
      });
    }
  });

  verifies('HD-11', 'write nothing for other events, and report that', async () => {
    for (const event of ['session_start', 'session_end', 'pre_tool_use', 'post_tool_use']) {
      const place = openPlace('harness-d', hookOf(event));
      const { targets } = await place.sync();
      expect(place.tree()).toEqual({});
      expect(targets[0]?.fallbacks).toEqual([
        {
          artifact_id: 'ops/log-stop',
          reason: `the harness has no event for ${event}, so nothing is written`,
        },
      ]);
    }
  });

  verifies(
    'HD-12',
    'cause a warning of ingest for the others if the author targets harness-d',
    async () => {
      const events = ['session_start', 'session_end', 'pre_tool_use', 'post_tool_use'];
      const manifests = [...events, 'stop'].map((event) => [
        `ops/${event.replaceAll('_', '-')}`,
        hook(event, 'target_harnesses: [harness-d]\n'),
      ]);
      expect(await ingestWarnings(Object.fromEntries(manifests))).toEqual(
        events.toSorted().map((event) => ({
          id: `ops/${event.replaceAll('_', '-')}`,
          warning: expect.stringContaining(`harness-d supports \`hook_event: ${event}\``),
        })),
      );
      for (const event of events) {
        const named = hook(event, 'target_harnesses: [harness-d]\n');
        expect(lintWarnings('ops/log-stop', named)).toEqual([
          expect.stringContaining(`harness-d supports \`hook_event: ${event}\``),
        ]);
        expect(lintWarnings('ops/log-stop', hook(event))).toEqual([]);
        const mapped = hook('stop', 'target_harnesses: [harness-d]\n');
        expect(lintWarnings('ops/log-stop', mapped)).toEqual([]);
      }
    },
  );
});
