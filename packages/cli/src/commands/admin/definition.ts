import type { CommandDefinition, FlagDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

/** Whose store it is about: the registry that a `serve` with the same file would be. */
const SERVER_FLAGS = {
  config: {
    ...CONFIG_FLAGS.config,
    summary: "The registry's configuration file, instead of ~/.catalog/registry.yaml.",
    env: 'CATALOG_CONFIG_FILE',
  },
} as const satisfies Record<string, FlagDefinition>;

const DRY_RUN = {
  type: 'switch',
  short: 'n',
  summary: 'Say what would be done; do nothing.',
} as const;

const FOLDER = {
  name: 'folder',
  summary: 'The folder of the backup.',
  required: true,
  completion: 'folder',
} as const;

export const adminMigrateDefinition = {
  name: 'admin migrate',
  section: 'Operate',
  summary: 'Bring the schema of the store forward.',
  description: [
    'On PostgreSQL it runs as the role of store.migration_dsn: it makes the tables, and the role of store.dsn where that is not there. Registries of the release before go on serving meanwhile. Steps are applied one process at a time, each whole or not at all.',
    'A SQLite file is brought forward by every start; this does it without one.',
  ],
  arguments: [],
  flags: { ...SERVER_FLAGS, 'dry-run': DRY_RUN },
  examples: [
    { command: 'catalog admin migrate --dry-run', summary: 'which steps are missing' },
    { command: 'catalog admin migrate', summary: 'apply them' },
  ],
  known_as: { migrate: 'admin migrate' },
} as const satisfies CommandDefinition;

export const adminVerifyDefinition = {
  name: 'admin verify',
  section: 'Operate',
  summary: 'Look whether everything in the store holds.',
  description: [
    'Walks the store as it is at one moment, beside a registry that serves it: every version has its bytes, every hash holds, the ledger and the head agree with the version, and every counter says what there is. Each finding says what to do.',
  ],
  arguments: [],
  flags: {
    ...SERVER_FLAGS,
    fast: { type: 'switch', summary: 'Look whether bytes are there; do not read them.' },
  },
  examples: [
    { command: 'catalog admin verify', summary: 'all of it' },
    { command: 'catalog admin verify --fast', summary: 'without reading files' },
  ],
  exit_one: 'something does not hold',
  long_running: true,
} as const satisfies CommandDefinition;

export const adminBackupDefinition = {
  name: 'admin backup',
  section: 'Operate',
  summary: 'Copy the store into a folder, as it is at one moment.',
  description: [
    'Registries go on serving and ingesting; the copy is of the moment it began. It holds every fact and every object with checksums, in a form that does not depend on the database: a backup of a SQLite file can be restored into PostgreSQL, and the other way round.',
    'It holds the secrets of webhooks. The folder is readable by its owner only; keep it so.',
  ],
  arguments: [FOLDER],
  flags: { ...SERVER_FLAGS },
  examples: [{ command: 'catalog admin backup /backup/2026-01-02', summary: 'into a new folder' }],
  long_running: true,
  known_as: { backup: 'admin backup <folder>', dump: 'admin backup <folder>' },
} as const satisfies CommandDefinition;

export const adminRestoreDefinition = {
  name: 'admin restore',
  section: 'Operate',
  summary: 'Fill an empty store from a backup, and verify it.',
  description: [
    'Checks the backup before the first row, refuses a store that holds something, and makes counters, search and domain maps anew. When it is interrupted, run it again: it goes on where it stopped. No registry starts on the store before it is whole.',
  ],
  arguments: [FOLDER],
  flags: { ...SERVER_FLAGS },
  examples: [{ command: 'catalog admin restore /backup/2026-01-02', summary: 'that backup' }],
  exit_one: 'the restored store does not hold',
  long_running: true,
} as const satisfies CommandDefinition;

export const adminMigrateToStandardDefinition = {
  name: 'admin migrate-to-standard',
  section: 'Operate',
  summary: 'Move a standalone registry into PostgreSQL and S3, and verify it.',
  description: [
    'The settings name the new home: store.type postgres with its addresses, object_store.type s3 with its bucket. The old one is only read, and stays as it is. Stop its registry first, so that nothing is written to it after the copy.',
    'When it is interrupted, run it again: it goes on where it stopped. Addresses with passwords come from the file or from variables, never from the command line, where others could read them.',
  ],
  arguments: [],
  flags: {
    ...SERVER_FLAGS,
    'source-store': {
      type: 'text',
      placeholder: 'file',
      summary: 'The SQLite file to move.',
      default: 'store.sqlite_path of the settings',
      completion: 'file',
    },
    'source-objects': {
      type: 'text',
      placeholder: 'folder',
      summary: 'Its folder of objects.',
      default: 'object_store.filesystem_root of the settings',
      completion: 'folder',
    },
    'dry-run': DRY_RUN,
  },
  examples: [
    {
      command: 'catalog admin migrate-to-standard --config standard.yaml --dry-run',
      summary: 'how much there is to move',
    },
    {
      command:
        'catalog admin migrate-to-standard --config standard.yaml --source-store /var/lib/catalog/catalog.db --source-objects /var/lib/catalog/objects',
      summary: 'move it',
    },
  ],
  exit_one: 'the new store does not hold',
  long_running: true,
} as const satisfies CommandDefinition;
