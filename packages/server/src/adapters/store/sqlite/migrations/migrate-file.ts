import { existsSync } from 'node:fs';
import type { SchemaStep } from '@catalog/core/ports/schema-step';
import { openConnection } from '../connection/connection.ts';
import { missingSteps } from './migrate.ts';
import { migrations } from './table.ts';
import { openSqliteStore } from '../open-store.ts';

export function planFileMigration(path: string): SchemaStep[] {
  if (!existsSync(path)) return migrations.map(toStep);
  const connection = openConnection(path, { read_only: true });
  try {
    return missingSteps(connection, path, migrations).map(toStep);
  } finally {
    connection.close();
  }
}

export async function migrateFile(
  path: string,
  onStep: (step: SchemaStep) => void,
): Promise<SchemaStep[]> {
  const steps = planFileMigration(path);
  await (await openSqliteStore({ path, onStep })).close();
  return steps;
}

function toStep({ number, name }: SchemaStep): SchemaStep {
  return { number, name };
}
