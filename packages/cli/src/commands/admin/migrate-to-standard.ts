import { resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { move, planMove, type Standalone } from '@catalog/server/compose-operations';
import type { Settings } from '@catalog/server/config/settings';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { alignColumns } from '../../output/text.ts';
import type { adminMigrateToStandardDefinition } from './definition.ts';
import { readSettings, toHooks } from './read-settings.ts';
import { restoreResult } from './render-copy.ts';

type Input = CommandInput<typeof adminMigrateToStandardDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const settings = readSettings(flags, 'admin migrate-to-standard', session);
  requireStandard(settings);
  const from = readSource(flags, settings, session);
  if (!flags['dry-run']) {
    return restoreResult('Migrated', await move(settings, from, toHooks(session)));
  }
  const rows = await planMove(from, toHooks(session));
  return {
    lines: [
      'Would migrate',
      ...alignColumns(
        Object.entries(rows).map(([table, number]) => [table.replaceAll('_', ' '), String(number)]),
        '  ',
      ),
    ],
    json: { dry_run: true, from, rows },
  };
}

function requireStandard(settings: Settings): void {
  if (settings['store.type'] === 'postgres' && settings['object_store.type'] === 's3') return;
  throw new CatalogError(
    'config.invalid',
    `The settings do not describe a standard deployment: store.type is ${settings['store.type']}, object_store.type is ${settings['object_store.type']}.`,
    {
      details: { fields: ['store.type', 'object_store.type'] },
      suggested_action:
        'Put the settings of the new deployment into a file, with store.type postgres and object_store.type s3, and pass it with --config.',
    },
  );
}

function readSource(flags: Input['flags'], settings: Settings, { cwd }: Session): Standalone {
  const { 'source-store': store, 'source-objects': objects } = flags;
  return {
    sqlite_path: store === undefined ? settings['store.sqlite_path'] : resolve(cwd, store),
    filesystem_root:
      objects === undefined ? settings['object_store.filesystem_root'] : resolve(cwd, objects),
  };
}
