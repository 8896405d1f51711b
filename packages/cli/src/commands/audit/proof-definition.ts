import type { CommandDefinition, FlagDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

/** Selects the store that `serve` with the same file uses. */
const SERVER_FLAGS = {
  config: {
    ...CONFIG_FLAGS.config,
    summary: 'Server configuration file, instead of ~/.catalog/registry.yaml.',
    env: 'CATALOG_CONFIG_FILE',
  },
} as const satisfies Record<string, FlagDefinition>;

export const auditVerifyDefinition = {
  name: 'audit verify',
  section: 'Administer',
  summary: 'Check the audit log against its signed checkpoints.',
  description: [
    'Reads a consistent snapshot of the store, also while a server uses it, and all signed checkpoints in the object store. Reports every record that was changed, removed or replaced since it was signed, and names the first one.',
    'Checks signatures with the key in audit.signing_key_path. After a restore with another key, pass the former public key with --key.',
  ],
  arguments: [],
  flags: {
    ...SERVER_FLAGS,
    key: {
      type: 'list',
      placeholder: 'file',
      summary: 'File with another accepted public key; may be repeated.',
    },
  },
  examples: [{ command: 'catalog audit verify', summary: 'check every record' }],
  exit_one: 'a problem was found',
  long_running: true,
} as const satisfies CommandDefinition;

export const auditReopenDefinition = {
  name: 'audit reopen',
  section: 'Administer',
  summary: 'Continue the audit log after the store lost records.',
  description: [
    'If you restored the database without catalog, it can lack records that were signed, and the registry refuses to sign the log. This command starts a new tree for every tenant. Its first record commits to the remaining records, and names the lost ones and the reason. Stop a registry on SQLite first.',
  ],
  arguments: [],
  flags: {
    ...SERVER_FLAGS,
    reason: { type: 'text', placeholder: 'text', summary: 'Reason, which the log records.' },
  },
  examples: [
    {
      command: 'catalog audit reopen --reason "database restored to 09:00 after a disk failure"',
      summary: 'after a point-in-time recovery',
    },
  ],
} as const satisfies CommandDefinition;
