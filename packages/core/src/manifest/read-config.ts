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

/**
 * Reads a configuration file of YAML. It is as little to be trusted as a manifest, and its reader
 * forgives less: whatever does not fit stops the program with `config.invalid` and the place
 * (SPEC-36).
 */
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

/** A configuration file and what stands in it. */
export interface ConfigText {
  text: string;
  file: string;
}

/** Returns the error for a value of a configuration file, with its line. */
export function invalidValue(
  config: ConfigText,
  problem: Pick<FieldProblem, 'path' | 'message' | 'fix'>,
): CatalogError {
  return withLine(config, problem, offsetOf(config.text, problem.path) ?? 0);
}

/** Of a file that has no place for a secret, so that its line can be shown. */
function withLine(
  config: ConfigText,
  finding: Pick<Finding, 'message' | 'fix'>,
  offset: number,
): CatalogError {
  return invalidConfig(config, finding, offset, {
    excerpt: positionAt(config.text, offset).excerpt,
  });
}

/** The refusal of a configuration file at one place of it. The line itself may hold a password. */
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
