import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const whyDefinition = {
  name: 'why',
  section: 'Look',
  summary: 'Say which artifact wrote a file, or an entry of a shared file.',
  description: [
    'Names the artifact, its version and layer, the target and the adapter, as sync.lock recorded them.',
    'A file that is called "search" is named after `--`: `catalog why -- search`.',
  ],
  arguments: [
    {
      name: 'path',
      summary: 'A file or folder of the workspace, such as .harness-a/settings.json.',
      required: true,
      completion: 'file',
    },
  ],
  flags: {
    target: CONFIG_FLAGS.target,
    profile: CONFIG_FLAGS.profile,
    config: CONFIG_FLAGS.config,
    scope: CONFIG_FLAGS.scope,
  },
  examples: [
    { command: 'catalog why .harness-a/skills/check/SKILL.md', summary: 'who wrote this file' },
  ],
  exit_one: 'catalog wrote nothing there, or the run failed',
  known_as: { blame: 'why <path>', explain: 'why <path>' },
} as const satisfies CommandDefinition;

export const whySearchDefinition = {
  name: 'why search',
  section: 'Look',
  summary: 'Say where an artifact stands in a search, or why it is not found.',
  description: [
    'Searches as `catalog search` does and tells the rank of the artifact, its words and similarity, and what stands above it. Where it is not found it tells why: it is outranked, says nothing of what was asked, is deprecated or found by its id alone, or has no vector yet.',
    'An artifact that you may not see and one that is not there are told alike.',
  ],
  arguments: [
    { name: 'artifact', summary: 'Its id.', required: true },
    { name: 'words', summary: 'What was searched for.', required: true, repeated: true },
  ],
  flags: { registry: CONFIG_FLAGS.registry },
  examples: [
    {
      command: 'catalog why search ops/deploy/check release checklist',
      summary: 'its rank, and what stands above it',
    },
  ],
  exit_one: 'the search does not find it, or the run failed',
} as const satisfies CommandDefinition;
