import { join } from 'node:path';
import {
  BLOCKED,
  observeBlocking,
  expectedTexts,
  expectedServers,
  loadedRules,
  nativeEvents,
  observeStartedServer,
  TOGETHER,
} from '../expected.ts';
import { codexMarketplace } from '../marketplaces/codex.ts';
import type { Observation, HarnessProgram, Loaded, Session } from '../program.ts';
import { runSealed } from '../run-sealed.ts';
import { editText, writeText } from '../workspace.ts';
import { queryAppServer, listConnectedServers } from './codex-app-server.ts';

async function observe(asking: Observation): Promise<Loaded> {
  const { workspace, recorder, fixture, server } = asking;
  codexHome(asking);
  const { skills, hooks, complaints } = await queryAppServer(asking, 'repo');
  const servers = await runCodex(asking, ['mcp', 'list', '--json']);
  const forbidden = join(workspace, 'forbidden.txt');
  recorder.callOnce({ name: 'exec_command', input: { cmd: `touch ${forbidden}` } });
  // The namespace is the sandbox; the sandbox of Codex does not start inside it.
  const trusting = [
    '--dangerously-bypass-approvals-and-sandbox',
    '--dangerously-bypass-hook-trust',
  ];
  await runCodex(asking, ['exec', '--json', ...trusting, 'hi']);
  return {
    skill: skills,
    agent: [...offeredAgents(recorder.requests), ...complaints],
    rule: loadedRules(fixture, recorder.requests),
    hook: fixture.name === 'small' ? observeBlocking(forbidden, recorder.requests) : hooks,
    'mcp-server': [
      ...JSON.parse(servers).map(({ name }: { name: string }) => name),
      ...observeStartedServer(server),
    ],
  };
}

export function codexHome({ home, workspace, recorder }: Session): void {
  writeText(
    join(home, '.codex/config.toml'),
    `model = "recorder"
model_provider = "recorder"
[model_providers.recorder]
name = "recorder"
base_url = "${recorder.url}/v1"
wire_api = "responses"
[projects."${workspace}"]
trust_level = "trusted"
`,
  );
}

export async function runCodex(asking: Session, words: string[]): Promise<string> {
  const { program, workspace, home, server } = asking;
  const { code, stdout, stderr } = await runSealed({
    words: [...program.words, ...words],
    cwd: workspace,
    home,
    env: server.env,
  });
  if (code !== 0) throw new Error(`codex ${words.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/** Returns the agents in the description of the tool that starts them, with the built-in ones last. */
function offeredAgents(requests: readonly unknown[]): string[] {
  const roles = JSON.stringify(requests).match(/Available roles:(.*?)default: \{/)?.[1] ?? '';
  return [...roles.matchAll(/(?:^|\})\\n([\w-]+): \{/g)].map(([, name = '']) => name);
}

export const codex: HarnessProgram = {
  name: 'codex',
  title: 'Codex',
  version: '0.166.0',
  profile: 'codex',
  scans: true,
  together: TOGETHER,
  installs: {
    from: 'npm',
    pinned: 'codex',
    command: 'node_modules/@openai/codex/vendor/x86_64-unknown-linux-musl/bin/codex',
  },
  expects: (fixture, profiles) => ({
    ...expectedTexts(fixture, profiles, 'all'),
    agent: fixture.agents,
    hook:
      fixture.name === 'small'
        ? [BLOCKED]
        : nativeEvents('codex', fixture.hooks).map(
            (event) => event.charAt(0).toLowerCase() + event.slice(1),
          ),
    'mcp-server': expectedServers(fixture),
  }),
  observe,
  marketplace: codexMarketplace,
  isConnected: async (asking) => {
    codexHome(asking);
    return (await listConnectedServers(asking)).includes('catalog');
  },
  breaks: {
    skill: (workspace) => {
      editText(join(workspace, '.agents/skills/alpha/SKILL.md'), (text) =>
        text.replace(/^description: .*\n/m, ''),
      );
    },
    agent: (workspace) => {
      editText(join(workspace, '.codex/agents/helper.toml'), (text) => `colour = "red"\n${text}`);
    },
    rule: (workspace) => {
      editText(join(workspace, 'AGENTS.md'), (text) => text.replace('RULE-ALWAYS', 'RULE'));
    },
    hook: (workspace) => {
      editText(join(workspace, '.codex/config.toml'), (text) =>
        text.replaceAll('hooks.PreToolUse', 'hooks.BeforeTool'),
      );
    },
    'mcp-server': (workspace) => {
      editText(join(workspace, '.codex/config.toml'), (text) =>
        text.replaceAll('mcp_servers.remote', 'servers.remote'),
      );
    },
  },
};
