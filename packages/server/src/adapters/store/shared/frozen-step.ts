import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { findInstalled } from '../../../find-installed.ts';

/** Schema step in a file that never changes after its release: each database records its checksum. */
export interface SchemaStep {
  number: number;
  name: string;
  checksum: string;
}

export interface RunnableStep extends SchemaStep {
  /** Reads the statements, which run in one transaction. */
  readSql(): string;
}

/** Creates a schema step and rejects a changed file. */
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

/** Finds the directory with the steps of an engine, in the source tree or in a built program. */
function findFolder(engine: string): string {
  return findInstalled(
    import.meta.dirname,
    [`../${engine}/migrations/steps`, `../migrations/${engine}`, `migrations/${engine}`],
    'The schema files are missing. Install catalog again.',
  );
}
