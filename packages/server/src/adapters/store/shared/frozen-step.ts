import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { findInstalled } from '../../../find-installed.ts';

/** One step of a schema. Once released it is never edited: its checksum is recorded in each database. */
export interface SchemaStep {
  /** Counts from 1 without a gap. */
  number: number;
  name: string;
  /** SHA-256 of the statements. */
  checksum: string;
}

/** A step with its statements. */
export interface RunnableStep extends SchemaStep {
  /** Returns the statements, which run in one transaction. */
  readSql(): string;
}

/** Reads the statements of a step from its file, and refuses a file that was changed. */
export function frozenStep<Step extends SchemaStep>(
  engine: 'postgres' | 'sqlite',
  step: Step,
): Step & RunnableStep {
  return {
    ...step,
    readSql() {
      const file = `${String(step.number).padStart(4, '0')}-${step.name}.sql`;
      const path = join(findFolder(engine), file);
      const sql = readFileSync(path, 'utf8');
      if (bytesHash(sql) === step.checksum) return sql;
      throw new Error(`${path} is damaged or from another release. Install catalog again.`);
    },
  };
}

/** The steps are in the engine's folder in the source tree, and in `migrations` of a built program. */
function findFolder(engine: string): string {
  return findInstalled(
    import.meta.dirname,
    [`../${engine}/migrations/steps`, `../migrations/${engine}`, `migrations/${engine}`],
    'The schema files are missing. Install catalog again.',
  );
}
