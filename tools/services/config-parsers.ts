import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '@catalog/core/json';
import { ROOT } from './folders.ts';
import { installOnce } from './install-once.ts';
import { runProgram } from './run-program.ts';

const OWN = join(ROOT, 'tools/config-parsers');
const REQUIREMENTS = join(OWN, 'requirements.txt');

export interface ParserInput {
  format: 'json' | 'toml' | 'yaml' | 'markdown';
  text: string;
  /** Excludes the changes of catalog; empty if the file would not exist. */
  mine: string;
  wanted: {
    shape: string;
    container: readonly string[];
    key: string;
    value: Json;
    if_absent?: true;
  }[];
}

export interface ParserFinding {
  number: number;
  problem: string;
}

export function installConfigParsers(): Promise<string> {
  const list = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  return installOnce({
    key: `config-parsers-${list}`,
    build: async (folder) => {
      const how = ['--quiet', '--no-deps', '--only-binary', ':all:', '--target', folder];
      await runProgram('python3', ['-m', 'pip', 'install', ...how, '-r', REQUIREMENTS]);
    },
  });
}

/**
 * Uses Python's tomllib and json, ruamel and PyYAML, in one process. Each file must parse, and contain
 * the wanted entries and all content of the user's own file.
 */
export async function checkFiles(
  files: readonly ParserInput[],
  folder: string,
): Promise<ParserFinding[]> {
  const python = await installConfigParsers();
  const list = join(folder, 'judged.jsonl');
  writeFileSync(list, files.map((file) => `${JSON.stringify(file)}\n`).join(''));
  const printed = await runProgram('python3', [join(OWN, 'judge.py'), list], {
    env: { PYTHONPATH: python },
  });
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line): ParserFinding => JSON.parse(line));
}
