import { join } from 'node:path';
import type { Observation, MarketplaceCheck } from '../program.ts';
import { runSealed, type SealedOutcome } from '../run-sealed.ts';
import { editText } from '../workspace.ts';

async function observe(asking: Observation): Promise<string[]> {
  const run = (...words: string[]): Promise<SealedOutcome> =>
    runSealed({
      words: [...asking.program.words, 'plugin', ...words],
      cwd: asking.workspace,
      home: asking.home,
    });
  const list = await run('validate', '--strict', '.');
  const plugin = await run('validate', '--strict', 'claude/demo');
  await run('marketplace', 'add', './');
  await run('install', 'demo@demo-market');
  const { stdout } = await run('details', 'demo');
  return [
    ...(list.code === 0 ? ['the list is valid'] : []),
    ...(plugin.code === 0 ? ['the plugin is valid'] : []),
    ...inventory(stdout),
  ];
}

/** Lines have the form `Agents (1) helper (a remark)`. */
function inventory(text: string): string[] {
  return [
    ...text.matchAll(/^ {2}(Skills|Agents|Hooks|MCP servers) \(\d+\) {2}(.*?)(?: {2}.*)?$/gm),
  ].flatMap(([, kind, names = '']) => names.split(', ').map((name) => `${kind}: ${name}`));
}

/** Rules and commands are skills in a plugin. */
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

export const claudeCodeMarketplace: MarketplaceCheck = {
  harnesses: ['claude-code', 'codex', 'cursor', 'agent-plugins'],
  expects: [
    'the list is valid',
    'the plugin is valid',
    ...SKILLS.map((name) => `Skills: ${name}`),
    'Agents: helper',
    'Hooks: PreToolUse',
    'MCP servers: local',
    'MCP servers: open',
    'MCP servers: remote',
  ],
  observe,
  breaks: (folder) => {
    editText(join(folder, '.claude-plugin/marketplace.json'), (text) =>
      text.replace(/"owner": \{[^}]*\}/, '"owner": "demo"'),
    );
  },
};
