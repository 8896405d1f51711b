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
    onStep: ({ number, name }) => session.progress(`step ${number} (${name})`),
  });
  const { store, steps, role } = report;
  return {
    lines: [...stepLines(report, dry_run), ...roleLines(report, dry_run)],
    json: {
      dry_run,
      store,
      steps,
      role: role && { name: role.name, missing: role.missing ?? null },
    },
  };
}

function stepLines({ steps }: MigrationReport, dry_run: boolean): Line[] {
  if (steps.length === 0) return ['the schema is up to date'];
  return [
    `${count(steps.length, 'step')} ${dry_run ? 'to apply' : 'applied'}`,
    ...steps.map(({ number, name }) => `  ${number} ${name}`),
  ];
}

function roleLines({ role }: MigrationReport, dry_run: boolean): Line[] {
  if (role?.missing === undefined) return [];
  const { name, missing } = role;
  if (missing === 'role') {
    return [
      dry_run ? `role ${name} to create` : `created role ${name}, a member of catalog_program`,
    ];
  }
  return [
    dry_run
      ? `role ${name} to make a member of catalog_program`
      : `made ${name} a member of catalog_program`,
  ];
}
