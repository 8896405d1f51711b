import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const whyDefinition = {
  name: 'why',
  section: 'Inspect',
  summary: 'Show which artifact a file came from.',
  description: [
    'Prints the artifact, version, layer, target and harness recorded in sync.lock, also for single entries of a shared file. For the id of an artifact, prints its files.',
    'For a file named "search", use `catalog why -- search`.',
  ],
  arguments: [
    {
      name: 'path',
      summary: 'File or folder in the workspace, such as .claude/settings.json, or artifact id.',
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
    { command: 'catalog why .claude/skills/check/SKILL.md', summary: 'show the source of a file' },
    { command: 'catalog why ops/deploy/check', summary: 'show the files of an artifact' },
  ],
  exit_one: 'catalog did not write the file, delivered no such artifact, or the command failed',
  known_as: { blame: 'why <path>', explain: 'why <path>' },
} as const satisfies CommandDefinition;

export const whySearchDefinition = {
  name: 'why search',
  section: 'Inspect',
  summary: 'Explain the rank of an artifact in a search.',
  description: [
    'Runs the search and prints the rank of the artifact, its matching words and similarity, and the results above it. If the artifact is not found, explains why: it is outranked, does not match, is deprecated or matched only by id, or its embedding is pending.',
    'Artifacts you cannot read give the same result as missing ones.',
  ],
  arguments: [
    { name: 'artifact', summary: 'Artifact id.', required: true },
    { name: 'words', summary: 'Search words.', required: true, repeated: true },
  ],
  flags: { registry: CONFIG_FLAGS.registry },
  examples: [
    {
      command: 'catalog why search ops/deploy/check release checklist',
      summary: 'show the rank and the results above',
    },
  ],
  exit_one: 'the search does not find the artifact, or the command failed',
} as const satisfies CommandDefinition;
