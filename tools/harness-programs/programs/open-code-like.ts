import { renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  BLOCKED,
  observeBlocking,
  expectedTexts,
  expectedServers,
  loadedRules,
  serversWithoutSecrets,
  observeStartedServer,
  supportedHooks,
} from '../expected.ts';
import type { Observation, HarnessProgram, Loaded } from '../program.ts';
import { lastOffering } from '../recorder.ts';
import { runSealed } from '../run-sealed.ts';
import { editText, writeText } from '../workspace.ts';

export interface OpenCodeLike extends Pick<
  HarnessProgram,
  'name' | 'title' | 'version' | 'profile' | 'together'
> {
  command: string;
  folder: string;
  /** Relative to the home folder. */
  user_config: string;
  project_config: string;
  env_prefix: string;
  secrets: boolean;
}

async function observe(product: OpenCodeLike, asking: Observation): Promise<Loaded> {
  const { workspace, recorder, fixture, server } = asking;
  prepareHome(product, asking);
  const run = (words: string[]): Promise<string> => runProduct(product, asking, words);
  const config: Configuration = JSON.parse(await run(['debug', 'config']));
  const forbidden = join(workspace, 'forbidden.txt');
  const input = { command: `touch ${forbidden}`, description: 'x' };
  recorder.callOnce({ name: 'bash', input });
  await run(['run', '--format', 'json', 'hi']);
  return {
    skill: offeredSkills(lastOffering(recorder.requests, 'bash'), workspace),
    agent: Object.keys(config.agent ?? {}),
    command: Object.keys(config.command ?? {}),
    rule: loadedRules(fixture, recorder.requests),
    hook:
      fixture.name === 'small'
        ? observeBlocking(forbidden, recorder.requests)
        : (config.plugin ?? [])
            .filter((address) => address.includes(workspace))
            .map((address) => basename(address, '.js').replace('catalog-', '')),
    'mcp-server': [...Object.keys(config.mcp ?? {}), ...observeStartedServer(server)],
  };
}

interface Configuration {
  agent?: Record<string, unknown>;
  command?: Record<string, unknown>;
  mcp?: Record<string, unknown>;
  plugin?: string[];
}

/** The system prompt lists skills with their locations. */
function offeredSkills(sent: string, workspace: string): string[] {
  return [...sent.matchAll(/<name>([^<]+)<\/name>.*?<location>([^<]+)<\/location>/g)]
    .filter(([, , location]) => location?.includes(workspace))
    .map(([, name = '']) => name);
}

function prepareHome({ user_config }: OpenCodeLike, { home, recorder }: Observation): void {
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    options: { baseURL: `${recorder.url}/v1`, apiKey: 'none' },
    models: { recorder: { name: 'recorder', tool_call: true } },
  };
  const model = 'recorder/recorder';
  writeText(
    join(home, user_config),
    JSON.stringify({ model, small_model: model, provider: { recorder: provider } }),
  );
}

async function runProduct(
  { title, env_prefix }: OpenCodeLike,
  { program, workspace, home, server }: Observation,
  words: string[],
): Promise<string> {
  const { code, stdout, stderr } = await runSealed({
    words: [...program.words, ...words],
    cwd: workspace,
    home,
    env: {
      ...server.env,
      [`${env_prefix}_DISABLE_MODELS_FETCH`]: '1',
      [`${env_prefix}_DISABLE_AUTOUPDATE`]: '1',
    },
  });
  if (code !== 0) throw new Error(`${title} ${words.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

export function openCodeLike(product: OpenCodeLike): HarnessProgram {
  const { folder, project_config, secrets, profile } = product;
  return {
    name: product.name,
    title: product.title,
    version: product.version,
    profile,
    scans: true,
    ...(product.together && { together: product.together }),
    installs: { from: 'npm', pinned: product.name, command: product.command },
    expects: (fixture, profiles) => ({
      ...expectedTexts(fixture, profiles, 'all'),
      agent: fixture.agents,
      command: fixture.commands,
      hook: fixture.name === 'small' ? [BLOCKED] : supportedHooks(profile, fixture),
      'mcp-server': secrets ? expectedServers(fixture) : serversWithoutSecrets(fixture),
    }),
    observe: (asking) => observe(product, asking),
    isConnected: async (asking) =>
      /✓ catalog \S*connected$/m.test(await runProduct(product, asking, ['mcp', 'list'])),
    // A wrong type in the configuration stops the program, so these errors are ones that it
    // ignores.
    breaks: {
      skill: (workspace) => {
        const skill = join(workspace, folder, 'skills/alpha');
        renameSync(join(skill, 'SKILL.md'), join(skill, 'README.md'));
      },
      agent: (workspace) => {
        renameSync(join(workspace, folder, 'agents'), join(workspace, folder, 'subagents'));
      },
      command: (workspace) => {
        renameSync(join(workspace, folder, 'commands'), join(workspace, folder, 'prompts'));
      },
      rule: (workspace) => {
        editText(join(workspace, 'AGENTS.md'), (text) => text.replace('RULE-ALWAYS', 'RULE'));
      },
      hook: (workspace) => {
        editText(join(workspace, folder, 'plugins/catalog-guard.js'), (text) =>
          text.replace('"tool.execute.before"', '"tool.before"'),
        );
      },
      'mcp-server': (workspace) => {
        editText(join(workspace, project_config), (text) => text.replace('"mcp"', '"servers"'));
      },
    },
  };
}
