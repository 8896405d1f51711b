import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const adoptDefinition = {
  name: 'adopt',
  section: 'Author',
  summary: 'Make artifacts of what a workspace already has for its agents.',
  description: [
    'Reads the skills, agents, commands, rules, hooks and MCP servers that are there for any harness, shows which of them have the same, and writes each once, in the canonical form, into a catalogue folder. What a sync would write back otherwise is said for each.',
    'If copies differ, the artifact uses the copy of the harness named first with --harness, or else the copy modified last. Files that only other copies of a skill have are added to it. Every other version, and every file that adopt converts, is kept as found in the .originals folder of the artifact, which sync does not deliver. A secret is never copied: a reference such as ${secret:NAME} takes its place.',
    'Nothing is changed in the workspace, and no file of the catalogue is replaced. What catalog itself delivered is left, links are not followed.',
  ],
  arguments: [],
  flags: {
    from: {
      type: 'text',
      placeholder: 'folder',
      summary: 'The workspace to read.',
      default: 'the current folder',
      completion: 'folder',
    },
    into: {
      type: 'text',
      placeholder: 'folder',
      summary: 'The catalogue folder to write into; made where it is not there.',
      completion: 'folder',
    },
    harness: {
      type: 'text',
      placeholder: 'name,...',
      alias: 'agent',
      summary: 'Whose things to read, or several with commas, the preferred first.',
      default: 'those in use in the folder',
      completion: 'harness',
    },
    domain: {
      type: 'text',
      placeholder: 'prefix',
      summary: 'What every id begins with, such as `team/web`.',
      default: 'ids such as skills/review',
    },
    scope: { ...CONFIG_FLAGS.scope, summary: '`user` reads the home folder, as that of a person.' },
    'dry-run': {
      type: 'switch',
      short: 'n',
      summary: 'Show what would be written, and write nothing.',
    },
  },
  exclusive: [['from', 'scope']],
  examples: [
    {
      command: 'catalog adopt --into ./catalogue --dry-run',
      summary: 'see what is there, and what would become of it',
    },
    {
      command: 'catalog adopt --into ./catalogue --harness claude-code,cursor',
      summary: "prefer Claude Code's copy where the two differ",
    },
    {
      command: 'catalog adopt --scope user --into ~/catalogue --domain me',
      summary: 'what lies in the home folder',
    },
  ],
  known_as: { import: 'adopt', migrate: 'adopt' },
} as const satisfies CommandDefinition;
