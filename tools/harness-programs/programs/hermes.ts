import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BLOCKED,
  observeBlocking,
  expectedRules,
  expectedServers,
  loadedRules,
  observeStartedServer,
  supportedHooks,
} from '../expected.ts';
import type { Observation, HarnessProgram, Loaded } from '../program.ts';
import { runSealed } from '../run-sealed.ts';
import { editText } from '../workspace.ts';

/** Only rules belong to the project; all other items belong to the user. */
async function observe(asking: Observation): Promise<Loaded> {
  const { workspace, recorder, fixture, server } = asking;
  useRecorder(asking);
  const skills = await run(asking, ['skills', 'list']);
  const servers = await run(asking, ['mcp', 'list']);
  const hooks = await run(asking, ['hooks', 'list']);
  const forbidden = join(workspace, 'forbidden.txt');
  recorder.callOnce({ name: 'terminal', input: { command: `touch ${forbidden}` } });
  await run(asking, ['--accept-hooks', '--yolo', '-z', 'hi']);
  return {
    skill: [...skills.matchAll(/^│ (\S+) +│.*│ local +│/gm)].map(([, name = '']) => name),
    rule: loadedRules(fixture, recorder.requests),
    hook:
      fixture.name === 'small'
        ? observeBlocking(forbidden, recorder.requests)
        : [...hooks.matchAll(/ catalog (\w+) /g)].map(([, event = '']) =>
            event.replaceAll('_', '-'),
          ),
    'mcp-server': [
      ...[...servers.matchAll(/^ {2}(\S+) .*enabled/gm)].map(([, name = '']) => name),
      ...observeStartedServer(server),
    ],
  };
}

function useRecorder({ workspace, recorder }: Observation): void {
  appendFileSync(
    join(workspace, 'home/.hermes/config.yaml'),
    `model:
  default: recorder
  provider: custom
  base_url: ${recorder.url}/v1
  api_key: none
  context_length: 200000
`,
  );
}

async function run(asking: Observation, words: string[]): Promise<string> {
  const { program, workspace, server } = asking;
  const { code, stdout, stderr } = await runSealed({
    words: [...program.words, ...words],
    cwd: join(workspace, 'project'),
    home: join(workspace, 'home'),
    env: { ...server.env, ...program.env, COLUMNS: '200' },
  });
  if (code !== 0) throw new Error(`hermes ${words.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

export const hermes: HarnessProgram = {
  name: 'hermes',
  title: 'Hermes',
  version: '0.19.0',
  profile: 'hermes',
  with_home: true,
  installs: {
    from: 'pypi',
    pinned: 'hermes',
    command: 'bin/hermes',
  },
  expects: (fixture) => ({
    skill: fixture.skills,
    rule: expectedRules(fixture, 'all'),
    hook: fixture.name === 'small' ? [BLOCKED] : supportedHooks('hermes', fixture, 'user'),
    'mcp-server': expectedServers(fixture),
  }),
  observe,
  breaks: {
    skill: (workspace) => {
      editText(join(workspace, 'home/.hermes/skills/alpha/SKILL.md'), (text) =>
        text.replace('name: alpha', 'name: omega'),
      );
    },
    rule: (workspace) => {
      editText(join(workspace, 'project/AGENTS.md'), (text) => text.replace('RULE-ALWAYS', 'RULE'));
    },
    hook: (workspace) => {
      editText(join(workspace, 'home/.hermes/config.yaml'), (text) =>
        text.replace('pre_tool_call:', 'before_tool:'),
      );
    },
    'mcp-server': (workspace) => {
      editText(join(workspace, 'home/.hermes/config.yaml'), (text) =>
        text.replace('mcp_servers:', 'servers:'),
      );
    },
  },
};
