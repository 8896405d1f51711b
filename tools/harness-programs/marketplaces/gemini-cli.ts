import { join } from 'node:path';
import type { Observation, MarketplaceCheck } from '../program.ts';
import { runSealed, type SealedOutcome } from '../run-sealed.ts';
import { editText, newFolder } from '../workspace.ts';

async function observe({ program, workspace, home }: Observation): Promise<string[]> {
  const empty = newFolder('empty');
  const run = (...words: string[]): Promise<SealedOutcome> =>
    runSealed({ words: [...program.words, 'extensions', ...words], cwd: empty, home });
  const valid = await run('validate', workspace);
  if (valid.code !== 0) return [];
  await run('link', workspace, '--consent');
  const listed = await run('list', '--output-format', 'json');
  // It writes all output except model responses to stderr.
  const extensions: Extension[] = JSON.parse(listed.stderr);
  return [
    'the extension is valid',
    ...extensions.flatMap(({ contextFiles, mcpServers, hooks, skills, agents }) => [
      ...contextFiles.map(() => 'a context file'),
      ...Object.keys(mcpServers ?? {}).map((name) => `server: ${name}`),
      ...Object.keys(hooks ?? {}).map((event) => `hook: ${event}`),
      ...(skills ?? []).map(({ name }) => `skill: ${name}`),
      ...(agents ?? []).map(({ name }) => `agent: ${name}`),
    ]),
  ];
}

interface Extension {
  contextFiles: string[];
  mcpServers?: object;
  hooks?: object;
  skills?: { name: string }[];
  agents?: { name: string }[];
}

export const geminiCliMarketplace: MarketplaceCheck = {
  harnesses: ['gemini-cli'],
  expects: [
    'the extension is valid',
    'a context file',
    'server: local',
    'server: open',
    'server: remote',
    'hook: BeforeTool',
    'skill: alpha',
    'skill: beta',
    'agent: helper',
  ],
  observe,
  breaks: (folder) => {
    editText(join(folder, 'gemini-extension.json'), (text) => text.replace(/"version": .*\n/, ''));
  },
};
