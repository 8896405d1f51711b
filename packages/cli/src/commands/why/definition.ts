import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const whyDefinition = {
  name: 'why',
  section: 'Look',
  summary: 'Say which artifact wrote a file, or an entry of a shared file.',
  description: [
    'Names the artifact, its version and layer, the target and the adapter, as sync.lock recorded them.',
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
