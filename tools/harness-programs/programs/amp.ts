import { join } from 'node:path';
import { expectedServers, observeStartedServer } from '../expected.ts';
import type { Observation, HarnessProgram, Loaded } from '../program.ts';
import { runSealed } from '../run-sealed.ts';
import { editText } from '../workspace.ts';

/** Sessions need the server of the vendor; the listing does not. */
async function observe(asking: Observation): Promise<Loaded> {
  const { workspace, fixture, server } = asking;
  const skills = await run(asking, ['skill', 'list']);
  const servers = await run(asking, ['mcp', 'list']);
  if (fixture.name === 'small') {
    await run(asking, ['mcp', 'approve', 'local']);
    await run(asking, ['mcp', 'doctor']);
  }
  return {
    skill: [...skills.matchAll(/^ {2}• (\S+)\n.*\n +file:\/\/(\S+)$/gm)]
      .filter(([, , location]) => location?.startsWith(workspace))
      .map(([, name = '']) => name),
    'mcp-server': [
      ...[...servers.matchAll(/^ {2}(\S+) +(?:command|url) +(?!undefined)\S/gm)].map(
        ([, name = '']) => name,
      ),
      ...observeStartedServer(server),
    ],
  };
}

async function run(asking: Observation, words: string[]): Promise<string> {
  const { program, workspace, home, server } = asking;
  const { code, stdout, stderr } = await runSealed({
    words: [...program.words, ...words],
    cwd: workspace,
    home,
    env: { ...server.env, AMP_API_KEY: 'none' },
  });
  if (code !== 0) throw new Error(`amp ${words.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

export const amp: HarnessProgram = {
  name: 'amp',
  title: 'Amp',
  version: '0.0.1790142911',
  profile: 'amp',
  scans: true,
  together: ['amp', 'claude-code'],
  installs: {
    from: 'npm',
    pinned: 'amp',
    command: 'node_modules/@ampcode/cli-linux-x64/amp',
  },
  expects: (fixture) => ({
    skill: fixture.skills,
    'mcp-server': expectedServers(fixture),
  }),
  observe,
  breaks: {
    skill: (workspace) => {
      editText(join(workspace, '.agents/skills/alpha/SKILL.md'), (text) =>
        text.replace(/^description: .*\n/m, ''),
      );
    },
    'mcp-server': (workspace) => {
      editText(join(workspace, '.amp/settings.json'), (text) => text.replace('"url"', '"address"'));
    },
  },
};
