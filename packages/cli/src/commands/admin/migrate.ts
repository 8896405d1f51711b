import { migrate, type MigrationReport } from '@catalog/server/compose-operations';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { count, type Line } from '../../output/text.ts';
import type { adminMigrateDefinition } from './definition.ts';
import { readSettings } from './read-settings.ts';

export async function run(
  { flags }: CommandInput<typeof adminMigrateDefinition>,
  session: Session,
): Promise<CommandResult> {
  const settings = readSettings(flags, 'admin migrate', session);
  const dry_run = flags['dry-run'];
  const report = await migrate(settings, {
    dry_run,
    contract: flags.contract,
    onStep: ({ number, name }) => session.progress(`Applying migration ${number} (${name})`),
  });
  const { store, steps, role, contract } = report;
  return {
    lines: [
      ...stepLines(report, dry_run),
      ...roleLines(report, dry_run),
      ...contractLines(report, dry_run),
    ],
    json: {
      dry_run,
      store,
      steps,
      role: role && { name: role.name, missing: role.missing ?? null },
      contract,
    },
  };
}

function stepLines({ steps }: MigrationReport, dry_run: boolean): Line[] {
  if (steps.length === 0) return ['The schema is up to date'];
  return [
    `${dry_run ? 'Would apply' : 'Applied'} ${count(steps.length, 'migration')}`,
    ...steps.map(({ number, name }) => `  ${number} ${name}`),
  ];
}

function roleLines({ role }: MigrationReport, dry_run: boolean): Line[] {
  if (role?.missing === undefined) return [];
  const { name, missing } = role;
  if (missing === 'role') {
    return [
      dry_run ? `Would create role ${name}` : `Created role ${name}, a member of catalog_program`,
    ];
  }
  return [
    dry_run
      ? `Would make ${name} a member of catalog_program`
      : `Made ${name} a member of catalog_program`,
  ];
}

function contractLines({ contract }: MigrationReport, dry_run: boolean): Line[] {
  if (contract === 'none') return [];
  if (contract === 'pending') {
    return [
      'When no process of the previous release runs, run catalog admin migrate --contract: the registry can still change and delete audit records and published versions',
    ];
  }
  return [
    `${dry_run ? 'Would revoke' : 'Revoked'} UPDATE and DELETE on audit, version_ledger and versions from catalog_program`,
  ];
}
