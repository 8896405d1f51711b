import { record, type FieldReading, type RecordShape } from './field-checks.ts';
import { offsetOf } from './locate.ts';
import type { ScanLimits } from './pre-scan.ts';
import { readYamlList } from './read-yaml.ts';

export interface ListProblem {
  message: string;
  fix: string;
  offset: number;
}

export type RecordListReading<T> =
  | { kind: 'ok'; records: T[] }
  | { kind: 'refused'; problems: ListProblem[] };

export function readRecordList<T extends object>(
  text: string,
  shape: RecordShape<T>,
  limits?: ScanLimits,
): RecordListReading<T> {
  const yaml = readYamlList(text, limits);
  if (yaml.kind === 'refused') {
    const { message, fix, offset } = yaml.refusal;
    return { kind: 'refused', problems: [{ message, fix, offset }] };
  }
  const check = record(shape);
  const at: FieldReading = { path: [], problems: [] };
  const records = yaml.values.flatMap((value, index) => {
    at.path = [index];
    return check.read(value, at) ?? [];
  });
  if (at.problems.length === 0) return { kind: 'ok', records };
  return {
    kind: 'refused',
    problems: at.problems.map(({ path, message, fix }) => ({
      message,
      fix,
      offset: offsetOf(text, path) ?? 0,
    })),
  };
}
