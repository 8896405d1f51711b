import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Finding } from './diagnose.ts';
import {
  readRecord,
  type FieldProblem,
  type FieldReading,
  type RecordShape,
} from './field-checks.ts';
import { offsetOf } from './locate.ts';
import { positionAt } from './position.ts';
import { readYaml } from './read-yaml.ts';

/** Parses a configuration file. Throws `config.invalid` with the position of an invalid value (SPEC-36). */
export function readConfig<T extends object>(text: string, file: string, shape: RecordShape<T>): T {
  const yaml = readYaml(text);
  if (yaml.kind === 'refused') {
    throw withLine({ text, file }, yaml.refusal, yaml.refusal.offset);
  }
  const at: FieldReading = { path: [], problems: [] };
  const config = readRecord(yaml.values, shape, at);
  const problem = at.problems[0];
  if (problem !== undefined) throw invalidValue({ text, file }, problem);
  return config;
}

export interface ConfigText {
  text: string;
  file: string;
}

export function invalidValue(
  config: ConfigText,
  problem: Pick<FieldProblem, 'path' | 'message' | 'fix'>,
): CatalogError {
  return withLine(config, problem, offsetOf(config.text, problem.path) ?? 0);
}

/** Adds the line to an error of a file that cannot contain secrets. */
function withLine(
  config: ConfigText,
  finding: Pick<Finding, 'message' | 'fix'>,
  offset: number,
): CatalogError {
  return invalidConfig(config, finding, offset, {
    excerpt: positionAt(config.text, offset).excerpt,
  });
}

/** Creates an error without the line, which may contain a password. */
export function invalidConfig(
  { text, file }: ConfigText,
  finding: Pick<Finding, 'message' | 'fix'>,
  offset: number,
  more: { key?: string; did_you_mean?: string; excerpt?: string } = {},
): CatalogError {
  const { line, column } = positionAt(text, offset);
  return new CatalogError('config.invalid', `${file}:${line}:${column}: ${finding.message}`, {
    details: { file, line, column, ...more },
    suggested_action: finding.fix,
  });
}
