import { renameSync } from 'node:fs';
import { join } from 'node:path';
import {
  BLOCKED,
  observeBlocking,
  expectedTexts,
  loadedRules,
  STOP_HOOK_RAN,
  observeStopHook,
  TOGETHER,
} from '../expected.ts';
import { piMarketplace } from '../marketplaces/pi.ts';
import type { Observation, HarnessProgram, Loaded, Session } from '../program.ts';
import { runSealed } from '../run-sealed.ts';
import { editText, writeText } from '../workspace.ts';
import { listCommands, piCommand } from './pi-commands.ts';

const ALL_MODULES_LOAD = 'all modules load';

async function observe(asking: Observation): Promise<Loaded> {
  const { workspace, recorder, fixture } = asking;
  piHome(asking);
  const commands = await listCommands(asking);
  const forbidden = join(workspace, 'forbidden.txt');
  recorder.callOnce({ name: 'bash', input: { command: `touch ${forbidden}` } });
  const model = ['--provider', 'recorder', '--model', 'recorder'];
  const { stderr } = await runSealed(piCommand(asking, [...model, '-p', 'hi']));
  const names = (source: string): string[] =>
    commands.filter((entry) => entry.source === source).map(({ name }) => name);
  return {
    skill: names('skill').map((name) => name.replace('skill:', '')),
    command: names('prompt'),
    rule: loadedRules(fixture, recorder.requests),
    hook:
      fixture.name === 'small'
        ? observeBlocking(forbidden, recorder.requests)
        : [stderr === '' ? ALL_MODULES_LOAD : stderr, ...observeStopHook(workspace)],
  };
}

export function piHome({ home, recorder }: Session): void {
  const provider = {
    baseUrl: `${recorder.url}/v1`,
    api: 'openai-completions',
    apiKey: 'none',
    models: [{ id: 'recorder' }],
  };
  writeText(
    join(home, '.pi/agent/models.json'),
    JSON.stringify({ providers: { recorder: provider } }),
  );
}

export const pi: HarnessProgram = {
  name: 'pi',
  title: 'Pi',
  version: '1.5.2',
  profile: 'pi',
  scans: true,
  together: TOGETHER,
  installs: {
    from: 'npm',
    pinned: 'pi',
    command: 'node_modules/.bin/pi',
  },
  expects: (fixture, profiles) => ({
    ...expectedTexts(fixture, profiles, 'all'),
    command: fixture.commands,
    hook: fixture.name === 'small' ? [BLOCKED] : [ALL_MODULES_LOAD, STOP_HOOK_RAN],
  }),
  observe,
  marketplace: piMarketplace,
  breaks: {
    skill: (workspace) => {
      editText(join(workspace, '.pi/skills/alpha/SKILL.md'), (text) =>
        text.replace(/^description: .*\n/m, ''),
      );
    },
    command: (workspace) => {
      renameSync(join(workspace, '.pi/prompts/greet.md'), join(workspace, '.pi/prompts/greet.txt'));
    },
    rule: (workspace) => {
      editText(join(workspace, 'AGENTS.md'), (text) => text.replace('RULE-ALWAYS', 'RULE'));
    },
    hook: (workspace) => {
      editText(join(workspace, '.pi/extensions/catalog-guard.ts'), (text) =>
        text.replace('"tool_call"', '"before_tool"'),
      );
    },
  },
};
