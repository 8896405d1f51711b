import { join } from 'node:path';
import type { Observation, MarketplaceCheck } from '../program.ts';
import { listCommands } from '../programs/pi-commands.ts';
import { runSealed } from '../run-sealed.ts';
import { editText, newFolder } from '../workspace.ts';

async function observe(asking: Observation): Promise<string[]> {
  const project = newFolder('empty');
  const words = ['install', asking.workspace, '--local', '--approve'];
  await runSealed({ words: [...asking.program.words, ...words], cwd: project, home: asking.home });
  const commands = await listCommands({ ...asking, workspace: project });
  return commands
    .filter(({ source }) => source !== 'extension')
    .map(({ name, source }) => `${source}: ${name}`);
}

export const piMarketplace: MarketplaceCheck = {
  harnesses: ['pi'],
  expects: ['prompt: greet', 'skill: skill:alpha', 'skill: skill:beta'],
  observe,
  breaks: (folder) => {
    editText(join(folder, 'package.json'), (text) => text.replace('"./skills"', '"./abilities"'));
  },
};
