import { join } from 'node:path';
import type { Observation, MarketplaceCheck } from '../program.ts';
import { queryAppServer } from '../programs/codex-app-server.ts';
import { runSealed, type SealedOutcome } from '../run-sealed.ts';
import { editText, newFolder } from '../workspace.ts';

async function observe(asking: Observation): Promise<string[]> {
  const run = (...words: string[]): Promise<SealedOutcome> =>
    runSealed({
      words: [...asking.program.words, ...words],
      cwd: asking.workspace,
      home: asking.home,
    });
  await run('plugin', 'marketplace', 'add', './', '--json');
  const added = await run('plugin', 'add', 'demo@demo-market', '--json');
  if (added.code !== 0) return [];
  const servers: { name: string }[] = JSON.parse((await run('mcp', 'list', '--json')).stdout);
  const { skills, hooks } = await queryAppServer(
    { ...asking, workspace: newFolder('empty') },
    'user',
  );
  return [
    ...skills.map((name) => `skill: ${name}`),
    ...hooks.map((event) => `hook: ${event}`),
    ...servers.map(({ name }) => `server: ${name}`),
  ];
}

export const codexMarketplace: MarketplaceCheck = {
  harnesses: ['claude-code', 'codex', 'cursor', 'agent-plugins'],
  expects: [
    'skill: demo:alpha',
    'skill: demo:beta',
    'hook: preToolUse',
    'server: local',
    'server: open',
    'server: remote',
  ],
  observe,
  breaks: (folder) => {
    editText(join(folder, '.agents/plugins/marketplace.json'), (text) =>
      text.replace('"./codex/demo"', '"codex/demo"'),
    );
  },
};
