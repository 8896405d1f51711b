import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const adminPurgeDefinition = {
  name: 'admin purge',
  section: 'Administer',
  summary: 'Delete the content of an artifact from the registry.',
  description: [
    'For content that must not stay, such as a leaked secret. Without --yes, only shows what would be removed.',
    'From the response on, no request returns the content: its versions, those that extend them, and its large files are deleted. The ledger keeps the versions, so identical content is not accepted again. Other versions of the artifact stay.',
    'Backups, caches of clients and the source keep their copies: remove the secret from the source, and revoke it.',
  ],
  arguments: [
    {
      name: 'artifact',
      summary: 'Artifact id, or id@version for one version.',
      required: true,
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    reason: { type: 'text', placeholder: 'text', summary: 'Reason, for the audit log.' },
    layer: { type: 'text', placeholder: 'id', summary: 'Purge only in this layer.' },
    yes: { type: 'switch', short: 'y', summary: 'Delete the content.' },
  },
  examples: [
    {
      command: "catalog admin purge ops/deploy@1.2.0 --reason 'Contains an API key.'",
      summary: 'show what would be removed',
    },
    {
      command: "catalog admin purge ops/deploy@1.2.0 --reason 'Contains an API key.' --yes",
      summary: 'delete one version',
    },
  ],
} as const satisfies CommandDefinition;
