import { join } from 'node:path';
import {
  BLOCKED,
  observeBlocking,
  expectedServers,
  loadedRules,
  STOP_HOOK_RAN,
  observeStopHook,
  ruleFiles,
  observeStartedServer,
} from '../expected.ts';
import { copilotMarketplace } from '../marketplaces/copilot.ts';
import type { Observation, HarnessProgram, Loaded, Session } from '../program.ts';
import { lastOffering } from '../recorder.ts';
import { runSealed } from '../run-sealed.ts';
import { editText, writeText } from '../workspace.ts';

async function observe(asking: Observation): Promise<Loaded> {
  const { workspace, home, recorder, fixture, server } = asking;
  const trusted = { trusted_folders: [workspace] };
  writeText(join(home, '.copilot/config.json'), JSON.stringify(trusted));
  const skills: { name: string; source: string }[] = await list(asking, 'skill');
  const { mcpServers } = await list<{ mcpServers: object }>(asking, 'mcp');
  const rules: { label: string }[] = await list(asking, 'instruction');
  const forbidden = join(workspace, 'forbidden.txt');
  const input = { command: `touch ${forbidden}`, description: 'x' };
  recorder.callOnce({ name: 'bash', input });
  await runCopilot(asking, ['-p', 'hi', '--allow-all-tools']);
  const sent = lastOffering(recorder.requests, 'bash');
  return {
    skill: skills.filter(({ source }) => source === 'project').map(({ name }) => name),
    agent: offeredAgents(sent),
    rule: [
      ...rules.map(({ label }) => label.replace('.instructions.md', '')),
      ...loadedRules(fixture, recorder.requests).map((name) => `${name} in the prompt`),
    ],
    hook:
      fixture.name === 'small'
        ? observeBlocking(forbidden, recorder.requests)
        : observeStopHook(workspace),
    'mcp-server': [...Object.keys(mcpServers), ...observeStartedServer(server)],
  };
}

async function list<T>(asking: Observation, kind: string): Promise<T> {
  return JSON.parse(await runCopilot(asking, [kind, 'list', '--json']));
}

export async function runCopilot(asking: Session, words: string[]): Promise<string> {
  const { program, workspace, home, recorder, server } = asking;
  const { code, stdout, stderr } = await runSealed({
    words: [...program.words, ...words],
    cwd: workspace,
    home,
    // A custom model needs no login.
    env: {
      ...server.env,
      COPILOT_PROVIDER_BASE_URL: `${recorder.url}/v1`,
      COPILOT_MODEL: 'recorder',
      COPILOT_OFFLINE: 'true',
    },
  });
  if (code !== 0) throw new Error(`copilot ${words.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/** Returns the agents in the description of the tool that starts them, with those of the project last. */
function offeredAgents(sent: string): string[] {
  const text = sent.match(/User-provided custom agents:(.*?)"/)?.[1] ?? '';
  return [...text.matchAll(/\\n- \*\*([\w-]+)\*\*: /g)].map(([, name = '']) => name);
}

export const copilot: HarnessProgram = {
  name: 'copilot',
  title: 'Copilot CLI',
  version: '1.0.102',
  profile: 'copilot',
  scans: true,
  installs: {
    from: 'npm',
    pinned: 'copilot',
    command: 'node_modules/@github/copilot-linux-x64/copilot',
  },
  expects: (fixture) => ({
    skill: [...fixture.skills, ...fixture.commands],
    agent: fixture.agents,
    rule: [
      ...ruleFiles(fixture),
      ...fixture.rules
        .filter(({ scope }) => scope === 'always')
        .map(({ name }) => `${name} in the prompt`),
    ],
    hook: [fixture.name === 'small' ? BLOCKED : STOP_HOOK_RAN],
    'mcp-server': expectedServers(fixture),
  }),
  observe,
  marketplace: copilotMarketplace,
  breaks: {
    skill: (workspace) => {
      editText(join(workspace, '.github/skills/alpha/SKILL.md'), (text) =>
        text.replace('description: ', 'description: skill: '),
      );
    },
    agent: (workspace) => {
      editText(join(workspace, '.github/agents/helper.agent.md'), (text) =>
        text.replace(/^description: .*\n/m, ''),
      );
    },
    rule: (workspace) => {
      editText(join(workspace, '.github/instructions/for-docs.instructions.md'), (text) =>
        text.replace('applyTo:', 'globs:'),
      );
    },
    hook: (workspace) => {
      editText(join(workspace, '.github/hooks/guard.json'), (text) =>
        text.replace('"preToolUse"', '"beforeTool"'),
      );
    },
    'mcp-server': (workspace) => {
      editText(join(workspace, '.mcp.json'), (text) => text.replace('"url"', '"address"'));
    },
  },
};
