import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const REGISTRY = join(import.meta.dirname, '../../../tests/fixtures/harness-programs/content');

/** Expected texts by check, whose name starts with the id of the artifact. */
export type Facts = Readonly<Record<string, string>>;

export interface Authored {
  id: string;
  name: string;
  description: string;
  body: string;
}

export const contentFixture = {
  registry: REGISTRY,
  file: 'src/main.ts',
  /** Has two question marks, for the script of a skill to count. */
  file_text: '// MAIN-FILE\n// Why?\n// How?\n',
  skills: ['skills/count', 'skills/summarize'].map((id) => authored(id, 'SKILL.md')),
  agents: ['caller', 'clerk', 'helper', 'historian', 'planner', 'reader'].map((name) =>
    authored(`agents/${name}`),
  ),
  rules: ['rules/always-on', 'rules/for-docs', 'rules/for-source'].map((id) => authored(id)),
  commands: [
    {
      ...authored('commands/greet'),
      words: 'bob',
      expanded: 'COMMAND-GREET. Say hello to bob, then stop.',
    },
    {
      ...authored('commands/compare'),
      words: 'left right',
      expanded: 'COMMAND-COMPARE. Compare left with right.',
    },
    {
      ...authored('commands/literal'),
      words: 'now',
      expanded: 'COMMAND-LITERAL. Keep {{args}} and ${input:name} as written.',
    },
    {
      ...authored('commands/inline'),
      words: 'now',
      // Value that only a shell computes. Some programs add a line break to it.
      expanded: 'INLINE_42',
    },
  ],
  context: authored('contexts/glossary'),
  hidden_command: authored('commands/release'),
} as const;

function authored(id: string, file = 'ARTIFACT.md'): Authored {
  const text = readFileSync(join(REGISTRY, 'demo', id, file), 'utf8');
  const [, description = ''] = text.match(/^description: (.*)$/m) ?? [];
  return { id, name: basename(id), description, body: text.split(/^---$/m).at(-1)?.trim() ?? '' };
}

export const authoredFacts: Facts = {
  'skills/count: description': 'present',
  'skills/summarize: description': 'present',
  'skills/count: instructions': 'present',
  'skills/count: script': 'present',
  'skills/count: reference': 'present',
  'agents/caller: description': 'present',
  'agents/clerk: description': 'present',
  'agents/helper: description': 'present',
  'agents/historian: description': 'present',
  'agents/planner: description': 'present',
  'agents/reader: description': 'present',
  'agents/caller: secret of its server': 'the-secret',
  'agents/clerk: runs a shell command': 'allowed',
  'agents/clerk: writes a file': 'refused',
  'agents/helper: calls a tool of the project': 'allowed',
  'agents/historian: runs another shell command': 'refused',
  'agents/planner: runs a shell command': 'refused',
  'agents/planner: writes a file': 'allowed',
  'agents/reader: instructions': 'present',
  'agents/reader: reads a file': 'present',
  'agents/reader: writes a file': 'refused',
  'agents/reader: runs a shell command': 'refused',
  'agents/reader: calls a tool of the project': 'refused',
  'agents/reader: calls an MCP tool': 'refused',
  'commands/greet: expanded': 'present',
  'commands/greet: price': 'present',
  'commands/compare: expanded': 'present',
  'commands/inline: expanded': 'present',
  'commands/literal: expanded': 'present',
  'commands/release: offered to the model': 'no',
  'contexts/glossary: named to the model': 'yes',
  'rules/always-on: times loaded': '1',
  'rules/for-docs: times loaded': '0',
  'rules/for-source: times loaded': '1',
  'hooks/gate: times run': '1',
  'hooks/gate: exit-0': 'tool ran',
  'hooks/gate: exit-2': 'tool blocked',
  'hooks/gate: exit-3': 'tool ran',
  'hooks/gate: crash': 'tool ran',
  'hooks/gate: hang': 'tool ran',
  'hooks/gate: reason': 'present',
  'hooks/briefing: times in the prompt': '1',
  'hooks/guard: tool it selects': 'tool blocked',
  'hooks/guard: runs for other tools': 'no',
  'hooks/reminder: output after a tool': 'present',
  'servers/local: started with its arguments and secret': 'yes',
  'servers/remote: Authorization': 'Bearer the-secret',
  'servers/remote: X-Region': 'eu',
  'servers/narrow: offers an allowed tool': 'yes',
  'servers/narrow: offers another tool': 'no',
  'servers/trimmed: offers a denied tool': 'no',
  'servers/trimmed: offers another tool': 'yes',
};
