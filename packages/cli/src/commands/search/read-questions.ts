import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { listOf, member, text, type RecordShape } from '@catalog/core/manifest/field-checks';
import type { ScanLimits } from '@catalog/core/manifest/pre-scan';
import { invalidConfig } from '@catalog/core/manifest/read-config';
import { readRecordList } from '@catalog/core/manifest/read-record-list';
import type { Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';

export interface Question {
  query: string;
  /** Relevant artifact ids, at least one. */
  relevant: string[];
  kind?: string;
}

const SHAPE: RecordShape<Question> = {
  create: () => ({ query: '', relevant: [] }),
  members: [member('query', text()), member('relevant', listOf(text())), member('kind', text())],
  required: ['query', 'relevant'],
  strict: true,
};

/** Limits of a file of the user, which can be larger than a manifest. */
const LIMITS: ScanLimits = { bytes: 4_194_304, lines: 50_000, entries: 50_000, references: 256 };

export function readQuestions(file: string, { cwd }: Session): Question[] {
  const source = readText(resolve(cwd, file), file);
  const reading = readRecordList(source, SHAPE, LIMITS);
  if (reading.kind === 'refused') {
    const [{ message, fix, offset } = { message: '', fix: '', offset: 0 }] = reading.problems;
    throw invalidConfig({ text: source, file }, { message, fix }, offset);
  }
  const unanswered = reading.records.findIndex(({ relevant }) => relevant.length === 0);
  if (reading.records.length > 0 && unanswered === -1) return reading.records;
  throw usageError(
    reading.records.length === 0
      ? `${file} contains no queries.`
      : `Query ${unanswered + 1} in ${file} has no relevant ids.`,
    'Use entries such as `- {query: undo a release, relevant: [ops/rollback]}`.',
    { command: 'search eval', argument: 'file' },
  );
}

function readText(path: string, typed: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw usageError(`Cannot read ${typed}.`, 'Pass a YAML or JSON file of queries.', {
      command: 'search eval',
      argument: 'file',
    });
  }
}
