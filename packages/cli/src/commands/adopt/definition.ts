import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const adoptDefinition = {
  name: 'adopt',
  section: 'Author',
  summary: 'Convert existing agent files into artifacts.',
  description: [
    'Reads the skills, agents, commands, rules, hooks and MCP servers of every harness in the workspace, finds duplicates, and writes each one once, in canonical form, into a registry folder. Reports where a sync would write an artifact back differently.',
    'If copies differ, the artifact uses the copy of the harness named first with --harness, or else the copy modified last. Files that exist only in other copies of a skill are added. Every other version, and every file that adopt converts, is kept in the .originals folder of the artifact, which sync does not install. Secrets are never copied: a reference such as ${secret:NAME} replaces each one.',
    'With --plugin, reads the folder of a plugin, an extension or a marketplace of Claude Code, Codex, Cursor or Gemini CLI instead, or a `server.json` of the MCP registry. Each artifact records the plugin in `imported_from`. Nothing of a plugin runs.',
    'Adopt changes nothing in the workspace and replaces no file in the registry. It skips files that catalog installed and does not follow links.',
  ],
  arguments: [],
  flags: {
    from: {
      type: 'text',
      placeholder: 'folder',
      summary: 'Workspace to read.',
      default: 'the current folder',
      completion: 'folder',
    },
    into: {
      type: 'text',
      placeholder: 'folder',
      summary: 'Registry folder to write into; created if missing.',
      completion: 'folder',
    },
    plugin: {
      type: 'text',
      placeholder: 'folder',
      summary: 'Plugin, extension, marketplace, or server.json to convert.',
      completion: 'folder',
    },
    harness: {
      type: 'text',
      placeholder: 'name,...',
      alias: 'agent',
      summary: 'Harnesses to read, separated by commas, preferred first.',
      default: 'harnesses in use in the folder',
      completion: 'harness',
    },
    domain: {
      type: 'text',
      placeholder: 'prefix',
      summary: 'Prefix for every id, such as `team/web`.',
      default: 'ids such as skills/review',
    },
    scope: { ...CONFIG_FLAGS.scope, summary: 'Read this workspace, or your home folder (`user`).' },
    'dry-run': {
      type: 'switch',
      short: 'n',
      summary: 'Show what would be written without writing it.',
    },
  },
  exclusive: [['from', 'scope', 'plugin']],
  examples: [
    {
      command: 'catalog adopt --into ./registry --dry-run',
      summary: 'preview the conversion',
    },
    {
      command: 'catalog adopt --into ./registry --harness claude-code,cursor',
      summary: "prefer Claude Code's copy if two differ",
    },
    {
      command: 'catalog adopt --scope user --into ~/registry --domain me',
      summary: 'convert the files in your home folder',
    },
    {
      command: 'catalog adopt --plugin ./acme-tools --into ./registry --dry-run',
      summary: 'preview the conversion of a plugin',
    },
  ],
  known_as: { import: 'adopt', migrate: 'adopt' },
} as const satisfies CommandDefinition;
