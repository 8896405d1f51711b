import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import {
  BLOCKED,
  observeBlocking,
  expectedTexts,
  expectedServers,
  loadedRules,
  observeStartedServer,
  TOGETHER,
  subtractNames,
} from '../expected.ts';
import { claudeCodeMarketplace } from '../marketplaces/claude-code.ts';
import type { Observation, HarnessProgram, Loaded } from '../program.ts';
import { runSealed } from '../run-sealed.ts';
import { editText, newFolder, writeText } from '../workspace.ts';

/**
 * The first line of a session names the loaded items, the requests contain the rules, and the log shows
 * the hooks that ran and the rejected settings.
 */
async function observe(asking: Observation): Promise<Loaded> {
  const { workspace, home, recorder, fixture, server } = asking;
  const builtin = await openSession({ ...asking, workspace: newFolder('empty') });
  const forbidden = join(workspace, 'forbidden.txt');
  recorder.callOnce({ name: 'Bash', input: { command: `touch ${forbidden}`, description: 'x' } });
  const opening = await openSession(asking);
  const log = readFileSync(join(home, 'debug.txt'), 'utf8');
  const skills = subtractNames(opening.skills, builtin.skills);
  return {
    skill: skills,
    command: subtractNames(opening.slash_commands, [...builtin.slash_commands, ...skills]),
    agent: subtractNames(opening.agents, builtin.agents),
    rule: loadedRules(fixture, recorder.requests),
    hook: [...listActiveHooks(asking, forbidden, log), ...complaints(log)],
    'mcp-server': [...opening.mcp_servers.map(({ name }) => name), ...observeStartedServer(server)],
  };
}

interface OpeningLine {
  skills: string[];
  slash_commands: string[];
  agents: string[];
  mcp_servers: { name: string }[];
}

async function openSession(asking: Observation): Promise<OpeningLine> {
  const { program, workspace, home, recorder, fixture, server } = asking;
  const how = ['-p', '--output-format', 'stream-json', '--verbose', '--allowedTools', 'Bash'];
  const { stdout, stderr } = await runSealed({
    words: [
      ...program.words,
      ...how,
      '--debug-file',
      join(home, 'debug.txt'),
      `look at @${fixture.file}`,
    ],
    cwd: workspace,
    home,
    env: { ...server.env, ANTHROPIC_BASE_URL: recorder.url, ANTHROPIC_API_KEY: 'none' },
  });
  const line = stdout.split('\n').find((text) => text.includes('"subtype":"init"'));
  if (line === undefined) throw new Error(`no session was opened: ${stdout}${stderr}`);
  return JSON.parse(line);
}

/** Without the user's approval, project servers do not start. */
async function isConnected({ program, workspace, home, server }: Observation): Promise<boolean> {
  const agreed = { enableAllProjectMcpServers: true };
  writeText(join(home, '.claude/settings.json'), JSON.stringify(agreed));
  const words = [...program.words, 'mcp', 'list'];
  const { stdout } = await runSealed({ words, cwd: workspace, home, env: server.env });
  return /^catalog: .* ✔ Connected$/m.test(stdout);
}

function complaints(log: string): string[] {
  return log.split('\n').filter((line) => line.includes('Invalid setting skipped'));
}

/** Only events that occur in a session with one shell command. */
const OBSERVED_EVENTS = [
  'PostToolUse',
  'PostToolUse',
  'PreToolUse',
  'PreToolUse',
  'SessionStart',
  'Stop',
  'UserPromptSubmit',
];

function listActiveHooks(
  { fixture, recorder }: Observation,
  forbidden: string,
  log: string,
): string[] {
  if (fixture.name === 'small') return observeBlocking(forbidden, recorder.requests);
  return [...log.matchAll(/Hooks: (\w+)(?::\S+)? \[/g)].map(([, event = '']) => event);
}

export const claudeCode: HarnessProgram = {
  name: 'claude-code',
  title: 'Claude Code',
  version: '2.1.325',
  profile: 'claude-code',
  scans: true,
  together: TOGETHER,
  installs: {
    from: 'npm',
    pinned: 'claude-code',
    command: 'node_modules/@anthropic-ai/claude-code-linux-x64/claude',
  },
  expects: (fixture, profiles) => ({
    ...expectedTexts(fixture, profiles, 'file'),
    command: fixture.commands,
    agent: fixture.agents,
    hook: fixture.name === 'small' ? [BLOCKED] : OBSERVED_EVENTS,
    'mcp-server': expectedServers(fixture),
  }),
  observe,
  marketplace: claudeCodeMarketplace,
  isConnected,
  breaks: {
    // Each is an error that the program is known to reject or to ignore silently.
    skill: (workspace) => {
      mkdirSync(join(workspace, '.agents/skills'), { recursive: true });
      renameSync(join(workspace, '.claude/skills/alpha'), join(workspace, '.agents/skills/alpha'));
    },
    command: (workspace) => {
      renameSync(
        join(workspace, '.claude/commands/greet.md'),
        join(workspace, '.claude/commands/greet.txt'),
      );
    },
    agent: (workspace) => {
      editText(join(workspace, '.claude/agents/helper.md'), (text) =>
        text.replace(/^description: .*\n/m, ''),
      );
    },
    rule: (workspace) => {
      editText(join(workspace, '.claude/rules/for-docs.md'), (text) =>
        text.replace('paths:', 'globs:'),
      );
    },
    hook: (workspace) => {
      editText(join(workspace, '.claude/settings.json'), (text) =>
        text.replace('"PreToolUse"', '"BeforeTool"'),
      );
    },
    'mcp-server': (workspace) => {
      editText(join(workspace, '.mcp.json'), (text) => text.replace(/"type": "http",\s*/, ''));
    },
  },
};
