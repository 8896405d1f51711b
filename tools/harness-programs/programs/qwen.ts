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
  subtractNames,
} from '../expected.ts';
import type { Observation, HarnessProgram, Loaded } from '../program.ts';
import { lastOffering } from '../recorder.ts';
import { runSealed } from '../run-sealed.ts';
import { editText, writeText } from '../workspace.ts';

/** The first line of a session names agents and servers, and the requests contain the rest. */
async function observe(asking: Observation): Promise<Loaded> {
  const { workspace, home, recorder, fixture, server } = asking;
  const trusted = { [workspace]: 'TRUST_FOLDER' };
  writeText(join(home, '.qwen/trustedFolders.json'), JSON.stringify(trusted));
  const forbidden = join(workspace, 'forbidden.txt');
  const input = { command: `touch ${forbidden}`, description: 'x', is_background: false };
  recorder.callOnce({ name: SHELL, input });
  const opening = await openSession(asking);
  const sent = lastOffering(recorder.requests, SHELL);
  return {
    skill: [...sent.matchAll(SKILL)].map(([, name = '']) => name),
    agent: subtractNames(opening.agents, OWN_AGENTS),
    command: sent.includes(fixture.command_text) ? fixture.commands : [],
    rule: loadedRules(fixture, recorder.requests),
    hook:
      fixture.name === 'small'
        ? observeBlocking(forbidden, recorder.requests)
        : observeStopHook(workspace),
    'mcp-server': [...opening.mcp_servers.map(({ name }) => name), ...observeStartedServer(server)],
  };
}

const SHELL = 'run_shell_command';

const SKILL =
  /<name>\\n([\w-]+)\\n<\/name>\\n<description>(?:(?!<\/skill>).)*<location>\\nproject\\n<\/location>/g;

const OWN_AGENTS = [
  'general-purpose',
  'Explore',
  'statusline-setup',
  'review-agent',
  'claude-code',
  'codex',
];

interface OpeningLine {
  agents: string[];
  mcp_servers: { name: string }[];
}

async function openSession(asking: Observation): Promise<OpeningLine> {
  const { program, workspace, home, recorder, fixture, server } = asking;
  const how = ['--auth-type', 'openai', '--approval-mode', 'yolo', '-o', 'stream-json'];
  const { stdout, stderr } = await runSealed({
    words: [...program.words, ...how, `/${fixture.commands[0]} bob`],
    cwd: workspace,
    home,
    env: {
      ...server.env,
      OPENAI_API_KEY: 'none',
      OPENAI_BASE_URL: `${recorder.url}/v1`,
      OPENAI_MODEL: 'recorder',
    },
  });
  const line = stdout.split('\n').find((text) => text.includes('"subtype":"init"'));
  if (line === undefined) throw new Error(`no session was opened: ${stdout}${stderr}`);
  return JSON.parse(line);
}

export const qwen: HarnessProgram = {
  name: 'qwen',
  title: 'Qwen Code',
  version: '0.24.4',
  profile: 'qwen',
  scans: true,
  installs: { from: 'npm', pinned: 'qwen', command: 'node_modules/.bin/qwen' },
  expects: (fixture) => ({
    skill: fixture.skills,
    agent: fixture.agents,
    command: fixture.commands,
    rule: expectedRules(fixture, 'all'),
    hook: [fixture.name === 'small' ? BLOCKED : STOP_HOOK_RAN],
    'mcp-server': expectedServers(fixture),
  }),
  observe,
  breaks: {
    skill: (workspace) => {
      editText(join(workspace, '.qwen/skills/alpha/SKILL.md'), (text) =>
        text.replace(/^description: .*\n/m, ''),
      );
    },
    agent: (workspace) => {
      editText(join(workspace, '.qwen/agents/helper.md'), (text) =>
        text.replace(/^description: .*\n/m, ''),
      );
    },
    command: (workspace) => {
      editText(join(workspace, '.qwen/commands/greet.md'), (text) =>
        text.replace('{{args}}', '$ARGUMENTS'),
      );
    },
    rule: (workspace) => {
      editText(join(workspace, 'AGENTS.md'), (text) => text.replace('RULE-ALWAYS', 'RULE'));
    },
    hook: (workspace) => {
      editText(join(workspace, '.qwen/settings.json'), (text) =>
        text.replace('"PreToolUse"', '"BeforeTool"'),
      );
    },
    'mcp-server': (workspace) => {
      editText(join(workspace, '.qwen/settings.json'), (text) =>
        text.replace('"mcpServers"', '"servers"'),
      );
    },
  },
};
