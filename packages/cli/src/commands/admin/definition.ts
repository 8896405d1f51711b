import type { CommandDefinition, FlagDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

/** Flags that select the store which `serve` with the same file uses. */
const SERVER_FLAGS = {
  config: {
    ...CONFIG_FLAGS.config,
    summary: 'Server configuration file, instead of ~/.catalog/registry.yaml.',
    env: 'CATALOG_CONFIG_FILE',
  },
} as const satisfies Record<string, FlagDefinition>;

const DRY_RUN = {
  type: 'switch',
  short: 'n',
  summary: 'Show what would be done without doing it.',
} as const;

const FOLDER = {
  name: 'folder',
  summary: 'Backup folder.',
  required: true,
  completion: 'folder',
} as const;

export const adminMigrateDefinition = {
  name: 'admin migrate',
  section: 'Administer',
  summary: 'Migrate the store schema.',
  description: [
    'On PostgreSQL, runs as the role in store.migration_dsn, creates the tables, and creates the role in store.dsn if it does not exist. Servers of the previous release continue to serve. Migrations run in one process at a time, each in its own transaction.',
    'With --contract, also revokes privileges of the registry that only the previous release uses, so that the registry can no longer change or delete audit records, the ledger and published versions. The previous release refuses to start after that.',
    'A SQLite store is also migrated at every server start.',
  ],
  arguments: [],
  flags: {
    ...SERVER_FLAGS,
    'dry-run': DRY_RUN,
    contract: {
      type: 'switch',
      summary: 'Also revoke privileges that only the previous release uses.',
    },
  },
  examples: [
    { command: 'catalog admin migrate --dry-run', summary: 'list pending migrations' },
    { command: 'catalog admin migrate', summary: 'apply migrations' },
    {
      command: 'catalog admin migrate --contract',
      summary: 'restrict the registry after an upgrade',
    },
  ],
  known_as: { migrate: 'admin migrate' },
} as const satisfies CommandDefinition;

export const adminVerifyDefinition = {
  name: 'admin verify',
  section: 'Administer',
  summary: 'Check the store for corruption.',
  description: [
    'Reads a consistent snapshot of the store, also while a server uses it. Checks that every version has its content, hashes match, the ledger and head agree with the versions, and counters are correct. Each finding includes a fix.',
  ],
  arguments: [],
  flags: {
    ...SERVER_FLAGS,
    fast: { type: 'switch', summary: 'Check that files exist without reading them.' },
  },
  examples: [
    { command: 'catalog admin verify', summary: 'check everything' },
    { command: 'catalog admin verify --fast', summary: 'skip file contents' },
  ],
  exit_one: 'a problem was found',
  long_running: true,
} as const satisfies CommandDefinition;

export const adminBackupDefinition = {
  name: 'admin backup',
  section: 'Administer',
  summary: 'Back up the store to a folder.',
  description: [
    'Copies a consistent snapshot while servers continue to serve and ingest. The backup contains all records and objects with checksums, in a database-independent format: a SQLite backup can be restored into PostgreSQL, and vice versa.',
    'With --keep, the folder contains many backups. Each run adds one, named after the time, and then removes all but the newest. Large files that an earlier backup contains are linked instead of copied.',
    'The backup contains webhook secrets. Its folder is readable only by the owner; keep it that way.',
  ],
  arguments: [FOLDER],
  flags: {
    ...SERVER_FLAGS,
    keep: {
      type: 'text',
      placeholder: 'n',
      summary: 'Add a backup to the folder, and keep the newest n.',
    },
  },
  examples: [
    { command: 'catalog admin backup /backup/2026-01-02', summary: 'back up to a new folder' },
    { command: 'catalog admin backup /backup --keep 7', summary: 'for a daily job' },
  ],
  long_running: true,
  known_as: { backup: 'admin backup <folder>', dump: 'admin backup <folder>' },
} as const satisfies CommandDefinition;

export const adminRestoreDefinition = {
  name: 'admin restore',
  section: 'Administer',
  summary: 'Restore a backup into an empty store.',
  description: [
    'Checks the backup first, refuses a store that is not empty, rebuilds counters, the search index and domain maps, and verifies the result. If interrupted, run the command again to resume. Servers refuse to start on a partially restored store.',
  ],
  arguments: [FOLDER],
  flags: { ...SERVER_FLAGS },
  examples: [{ command: 'catalog admin restore /backup/2026-01-02', summary: 'restore a backup' }],
  exit_one: 'the restored store has problems',
  long_running: true,
} as const satisfies CommandDefinition;

export const adminMigrateToStandardDefinition = {
  name: 'admin migrate-to-standard',
  section: 'Administer',
  summary: 'Migrate a standalone registry to PostgreSQL and S3.',
  description: [
    'The settings name the destination: store.type postgres with its DSNs, and object_store.type s3 with its bucket. The source is only read and stays unchanged. Stop its server first, so that nothing is written after the copy. Verifies the result.',
    'If interrupted, run the command again to resume. DSNs with passwords come from the file or from environment variables, never from the command line, where other users could read them.',
  ],
  arguments: [],
  flags: {
    ...SERVER_FLAGS,
    'source-store': {
      type: 'text',
      placeholder: 'file',
      summary: 'SQLite file to migrate.',
      default: 'the store.sqlite_path setting',
      completion: 'file',
    },
    'source-objects': {
      type: 'text',
      placeholder: 'folder',
      summary: 'Object folder to migrate.',
      default: 'the object_store.filesystem_root setting',
      completion: 'folder',
    },
    'dry-run': DRY_RUN,
  },
  examples: [
    {
      command: 'catalog admin migrate-to-standard --config standard.yaml --dry-run',
      summary: 'show what would be migrated',
    },
    {
      command:
        'catalog admin migrate-to-standard --config standard.yaml --source-store /var/lib/catalog/catalog.db --source-objects /var/lib/catalog/objects',
      summary: 'migrate',
    },
  ],
  exit_one: 'the new store has problems',
  long_running: true,
} as const satisfies CommandDefinition;
