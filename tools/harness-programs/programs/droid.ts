import { renameSync } from 'node:fs';
import { join } from 'node:path';
import {
  BLOCKED,
  observeBlocking,
  expectedRules,
  expectedServers,
  loadedRules,
  STOP_HOOK_RAN,
  observeStopHook,
  observeStartedServer,
} from '../expected.ts';
import { droidMarketplace } from '../marketplaces/droid.ts';
import type { Observation, HarnessProgram, Loaded } from '../program.ts';
import { lastOffering } from '../recorder.ts';
import { runSealed } from '../run-sealed.ts';
import { editText, writeText } from '../workspace.ts';

async function observe(asking: Observation): Promise<Loaded> {
  const { workspace, recorder, fixture, server } = asking;
  prepareHome(asking);
  const servers = await run(asking, ['mcp', 'list']);
  const forbidden = join(workspace, 'forbidden.txt');
  const input = { command: `touch ${forbidden}`, description: 'x' };
  recorder.callOnce({ name: 'Execute', input });
  const how = ['--model', 'custom:recorder', '--disable-builtin-skills'];
  await run(asking, ['exec', ...how, '--skip-permissions-unsafe', `/${fixture.commands[0]} bob`]);
  const sent = lastOffering(recorder.requests, 'Execute');
  return {
    skill: section(sent, /Available skills[^\\]*((?:\\n[\w-]+: .*?)+)(?:\\n<|<)/, /\\n([\w-]+): /g),
    agent: section(
      sent,
      /Custom droids available[^\\]*((?:\\n- .*?\))+)\\n\\n/,
      /\\n- ([\w-]+): /g,
    ),
    command: sent.includes(fixture.command_text) ? fixture.commands : [],
    rule: loadedRules(fixture, recorder.requests),
    hook:
      fixture.name === 'small'
        ? observeBlocking(forbidden, recorder.requests)
        : observeStopHook(workspace),
    'mcp-server': [
      ...[...servers.matchAll(/^ {2}(\S+) {2}(?:stdio|http|sse) /gm)].map(([, name = '']) => name),
      ...observeStartedServer(server),
    ],
  };
}

function prepareHome({ home, recorder }: Observation): void {
  const model = {
    model: 'recorder',
    displayName: 'recorder',
    baseUrl: `${recorder.url}/v1`,
    apiKey: 'none',
    provider: 'generic-chat-completion-api',
    maxOutputTokens: 1000,
  };
  writeText(join(home, '.factory/settings.json'), JSON.stringify({ customModels: [model] }));
}

async function run(asking: Observation, words: string[]): Promise<string> {
  const { program, workspace, home, server } = asking;
  const { code, stdout, stderr } = await runSealed({
    words: [...program.words, ...words],
    cwd: workspace,
    home,
    env: { ...server.env, FACTORY_API_KEY: 'none' },
  });
  if (code !== 0) throw new Error(`droid ${words.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

function section(sent: string, place: RegExp, name: RegExp): string[] {
  const text = sent.match(place)?.[1] ?? '';
  return [...text.matchAll(name)].map(([, found = '']) => found);
}

export const droid: HarnessProgram = {
  name: 'droid',
  title: 'Droid',
  version: '0.215.0',
  profile: 'droid',
  scans: true,
  installs: {
    from: 'npm',
    pinned: 'droid',
    command: 'node_modules/@factory/cli-linux-x64/bin/droid',
  },
  expects: (fixture) => ({
    skill: fixture.skills,
    agent: fixture.agents,
    command: fixture.commands,
    rule: expectedRules(fixture, 'all'),
    hook: [fixture.name === 'small' ? BLOCKED : STOP_HOOK_RAN],
    'mcp-server': expectedServers(fixture),
  }),
  observe,
  marketplace: droidMarketplace,
  isConnected: async (asking) =>
    / {2}catalog {2}stdio {2}connected/.test(await run(asking, ['mcp', 'list'])),
  breaks: {
    skill: (workspace) => {
      editText(join(workspace, '.factory/skills/alpha/SKILL.md'), (text) =>
        text.replace(/^description: .*\n/m, ''),
      );
    },
    agent: (workspace) => {
      // It accepts any Markdown file in this folder as an agent.
      renameSync(join(workspace, '.factory/droids'), join(workspace, '.factory/agents'));
    },
    command: (workspace) => {
      editText(join(workspace, '.factory/commands/greet.md'), (text) =>
        text.replace('$ARGUMENTS', '{{args}}'),
      );
    },
    rule: (workspace) => {
      editText(join(workspace, 'AGENTS.md'), (text) => text.replace('RULE-ALWAYS', 'RULE'));
    },
    hook: (workspace) => {
      editText(join(workspace, '.factory/settings.json'), (text) =>
        text.replace('"PreToolUse"', '"BeforeTool"'),
      );
    },
    'mcp-server': (workspace) => {
      editText(join(workspace, '.factory/mcp.json'), (text) =>
        text.replace('"mcpServers"', '"servers"'),
      );
    },
  },
};
