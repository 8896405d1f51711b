import { basename, join } from 'node:path';
import type { Observation, MarketplaceCheck } from '../program.ts';
import { runSealed, type SealedOutcome } from '../run-sealed.ts';
import { editText, newFolder } from '../workspace.ts';

/** The folder defines the name of the marketplace. */
async function observe({ program, workspace, home }: Observation): Promise<string[]> {
  const cwd = newFolder('empty');
  const run = (...words: string[]): Promise<SealedOutcome> =>
    runSealed({ words: [...program.words, 'plugin', ...words], cwd, home });
  await run('marketplace', 'add', workspace);
  await run('install', `demo@${basename(workspace)}`);
  const { stdout } = await run('list');
  return [...stdout.matchAll(/^ {2}(\S+)@\S+ {2}\[user\]/gm)].map(([, name]) => `plugin: ${name}`);
}

export const droidMarketplace: MarketplaceCheck = {
  harnesses: ['claude-code'],
  expects: ['plugin: demo'],
  observe,
  breaks: (folder) => {
    editText(join(folder, '.claude-plugin/marketplace.json'), (text) =>
      text.replace('"./claude/demo"', '"./claude/none"'),
    );
  },
};
