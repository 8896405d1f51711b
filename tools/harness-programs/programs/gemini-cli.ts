import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  BLOCKED,
  observeBlocking,
  expectedTexts,
  expectedServers,
  loadedRules,
  observeStartedServer,
  TOGETHER,
  supportedHooks,
} from '../expected.ts';
import { geminiCliMarketplace } from '../marketplaces/gemini-cli.ts';
import type { Observation, HarnessProgram, Loaded, Session } from '../program.ts';
import { runSealed, type SealedOutcome } from '../run-sealed.ts';
import { editText, writeText } from '../workspace.ts';

async function observe(asking: Observation): Promise<Loaded> {
  const { workspace, recorder, fixture, server } = asking;
  geminiHome(asking);
  const skills = await runGemini(asking, ['skills', 'list', '--all']);
  const servers = await runGemini(asking, ['mcp', 'list']);
  const forbidden = join(workspace, 'forbidden.txt');
  const input = { command: `touch ${forbidden}`, description: 'x' };
  recorder.callOnce({ name: 'run_shell_command', input });
  // Names the model, because Gemini CLI otherwise requests a model choice from another model.
  const how = ['--model', 'gemini-2.5-pro', '--approval-mode', 'yolo', '-o', 'stream-json'];
  const session = await runGemini(asking, [...how, '-p', `/${fixture.commands[0]} bob`]);
  const sent = JSON.stringify(
    recorder.requests.findLast(({ path }) => path.includes(':streamGenerateContent')),
  );
  return {
    skill: listedSkills(skills.stdout, workspace),
    agent: [...offeredAgents(sent, workspace), ...complaints(session.stderr)],
    command: sent.includes(fixture.command_text) ? fixture.commands : [],
    rule: loadedRules(fixture, recorder.requests),
    hook:
      fixture.name === 'small'
        ? observeBlocking(forbidden, recorder.requests)
        : announcedHooks(session.stderr),
    'mcp-server': [
      ...[...servers.stderr.matchAll(/^\S (\S+): .*\((?:stdio|http|sse)\)/gm)].map(
        ([, name = '']) => name,
      ),
      ...observeStartedServer(server),
    ],
  };
}

export function geminiHome({ home, workspace }: Session): void {
  const settings = { security: { auth: { selectedType: 'gemini-api-key' } } };
  writeText(join(home, '.gemini/settings.json'), JSON.stringify(settings));
  const trusted = { [workspace]: 'TRUST_FOLDER' };
  writeText(join(home, '.gemini/trustedFolders.json'), JSON.stringify(trusted));
  const agents = agentFiles(workspace).map((name) => {
    const text = readFileSync(join(workspace, AGENTS, `${name}.md`));
    return [name, createHash('sha256').update(text).digest('hex')];
  });
  const acknowledged = { [workspace]: Object.fromEntries(agents) };
  writeText(join(home, '.gemini/acknowledgments/agents.json'), JSON.stringify(acknowledged));
}

const AGENTS = '.gemini/agents';

function agentFiles(workspace: string): string[] {
  const folder = join(workspace, AGENTS);
  return existsSync(folder) ? readdirSync(folder).map((file) => basename(file, '.md')) : [];
}

export async function runGemini(asking: Session, words: string[]): Promise<SealedOutcome> {
  const { program, workspace, home, recorder, server } = asking;
  const outcome = await runSealed({
    words: [...program.words, ...words],
    cwd: workspace,
    home,
    env: { ...server.env, GOOGLE_GEMINI_BASE_URL: recorder.url, GEMINI_API_KEY: 'none' },
  });
  if (outcome.code === 0) return outcome;
  throw new Error(`gemini ${words.join(' ')} ended with ${outcome.code}: ${outcome.stderr}`);
}

/** Built-in skills have locations outside of the workspace. */
function listedSkills(text: string, workspace: string): string[] {
  return [...text.matchAll(/^(\S+) \[\w+\].*\n.*\n\s+Location:\s+(\S+)/gm)]
    .filter(([, , location]) => location?.startsWith(workspace))
    .map(([, name = '']) => name);
}

/** The system prompt lists agents as `- name -> description`. */
function offeredAgents(sent: string, workspace: string): string[] {
  const files = agentFiles(workspace);
  return [...sent.matchAll(/\\n- ([\w-]+) -> /g)]
    .map(([, name = '']) => name)
    .filter((name) => files.includes(name));
}

function complaints(log: string): string[] {
  return log.split('\n').filter((line) => line.includes('Agent loading error'));
}

/** Project hooks are listed by command; the first argument of the shim is the event. */
function announcedHooks(log: string): string[] {
  return [...log.matchAll(/^\s+- .*gemini-cli\.mjs"? (\w+) /gm)].map(([, event = '']) =>
    event.replaceAll('_', '-'),
  );
}

export const geminiCli: HarnessProgram = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  version: '0.61.0',
  profile: 'gemini-cli',
  scans: true,
  together: TOGETHER,
  installs: {
    from: 'npm',
    pinned: 'gemini-cli',
    command: 'node_modules/.bin/gemini',
  },
  expects: (fixture, profiles) => ({
    ...expectedTexts(fixture, profiles, 'all'),
    agent: fixture.agents,
    // Hook output at session start precedes the prompt, and then Gemini CLI does not expand
    // commands.
    ...(fixture.name === 'small' && { command: fixture.commands }),
    hook: fixture.name === 'small' ? [BLOCKED] : supportedHooks('gemini-cli', fixture),
    'mcp-server': expectedServers(fixture),
  }),
  observe,
  marketplace: geminiCliMarketplace,
  isConnected: async (asking) => {
    geminiHome(asking);
    const { stderr } = await runGemini(asking, ['mcp', 'list']);
    return /^✓ catalog: .* - Connected$/m.test(stderr);
  },
  breaks: {
    skill: (workspace) => {
      editText(join(workspace, '.gemini/skills/alpha/SKILL.md'), (text) =>
        text.replace(/^description: .*\n/m, ''),
      );
    },
    agent: (workspace) => {
      editText(join(workspace, AGENTS, 'helper.md'), (text) =>
        text.replace('kind: local', 'kind: local\ncolour: red'),
      );
    },
    command: (workspace) => {
      editText(join(workspace, '.gemini/commands/greet.toml'), (text) =>
        text.replace('prompt =', 'text ='),
      );
    },
    rule: (workspace) => {
      editText(join(workspace, 'GEMINI.md'), (text) => text.replace('RULE-ALWAYS', 'RULE'));
    },
    hook: (workspace) => {
      editText(join(workspace, '.gemini/settings.json'), (text) =>
        text.replace('"BeforeTool"', '"PreToolUse"'),
      );
    },
    'mcp-server': (workspace) => {
      editText(join(workspace, '.gemini/settings.json'), (text) =>
        text.replace('"mcpServers"', '"servers"'),
      );
    },
  },
};
