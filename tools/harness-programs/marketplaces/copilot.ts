import { join } from 'node:path';
import type { Observation, MarketplaceCheck } from '../program.ts';
import { runSealed, type SealedOutcome } from '../run-sealed.ts';
import { editText, newFolder } from '../workspace.ts';

/** Copilot reads the shared list from the folder. */
async function observe({ program, workspace, home }: Observation): Promise<string[]> {
  const cwd = newFolder('empty');
  const run = (...words: string[]): Promise<SealedOutcome> =>
    runSealed({ words: [...program.words, ...words], cwd, home });
  await run('plugin', 'marketplace', 'add', workspace);
  const installed = await run('plugin', 'install', 'demo@demo-market');
  if (installed.code !== 0) return [];
  const skills: { name: string; source: string }[] = JSON.parse(
    (await run('skill', 'list', '--json')).stdout,
  );
  const { mcpServers }: { mcpServers: object } = JSON.parse(
    (await run('mcp', 'list', '--json')).stdout,
  );
  return [
    ...skills.filter(({ source }) => source === 'plugin').map(({ name }) => `skill: ${name}`),
    ...Object.keys(mcpServers).map((name) => `server: ${name}`),
  ];
}

const SKILLS = [
  'alpha',
  'always-on',
  'beta',
  'by-name',
  'for-docs',
  'for-source',
  'greet',
  'when-asked',
];

export const copilotMarketplace: MarketplaceCheck = {
  harnesses: ['claude-code'],
  expects: [
    ...SKILLS.map((name) => `skill: ${name}`),
    'server: local',
    'server: open',
    'server: remote',
  ],
  observe,
  breaks: (folder) => {
    editText(join(folder, '.claude-plugin/marketplace.json'), (text) =>
      text.replace('"source":', '"place":'),
    );
  },
};
