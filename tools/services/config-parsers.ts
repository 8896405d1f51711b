import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '@catalog/core/json';
import { ROOT } from './folders.ts';
import { installOnce } from './install-once.ts';
import { runProgram } from './run-program.ts';

const OWN = join(ROOT, 'tools/config-parsers');
const REQUIREMENTS = join(OWN, 'requirements.txt');

/** A file with entries of catalog's in it, for parsers of others to judge. */
export interface JudgedFile {
  format: 'json' | 'toml' | 'yaml' | 'markdown';
  text: string;
  /** The file as it would be had catalog never been there; empty where there would be none. */
  mine: string;
  wanted: {
    shape: string;
    container: readonly string[];
    key: string;
    value: Json;
    if_absent?: true;
  }[];
}

/** What is wrong with one of the files, by its number. */
export interface Complaint {
  number: number;
  problem: string;
}

/** Where the parsers are installed; installs them the first time. */
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
 * Lets Python's tomllib and json, ruamel and PyYAML read files, in one process: each must parse, hold
 * the wanted entries, and beside them what the person's own file holds.
 */
export async function judgeFiles(
  files: readonly JudgedFile[],
  folder: string,
): Promise<Complaint[]> {
  const python = await installConfigParsers();
  const list = join(folder, 'judged.jsonl');
  writeFileSync(list, files.map((file) => `${JSON.stringify(file)}\n`).join(''));
  const printed = await runProgram('python3', [join(OWN, 'judge.py'), list], {
    env: { PYTHONPATH: python },
  });
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Complaint => JSON.parse(line));
}
