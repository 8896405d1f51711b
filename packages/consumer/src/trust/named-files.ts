import { statSync } from 'node:fs';
import { isAbsolute, resolve, sep } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { isScriptPath } from '@catalog/core/capabilities/script-files';
import { isMissing } from '@catalog/core/node/is-missing';
import { readRegularFile } from '@catalog/core/node/read-regular-file';
import { expandHome } from '@catalog/core/text/expand-home';
import type { Config } from '../config/types.ts';

export interface NamedFile {
  path: string;
  hash: string;
}

export interface CommandLine {
  words: readonly string[];
  base: string;
  /** Which names count; `scripts` for a publishing command, which also names files that it writes. */
  counts: 'files' | 'scripts';
}

const MAX_SCRIPT_BYTES = 64 * 1024 * 1024;

/**
 * Hashes the files that commands name, because trust in a command includes its scripts. Programs on the PATH or outside
 * the workspace, and files that a script uses, are not covered.
 */
export function hashNamedFiles(
  lines: readonly CommandLine[],
  { workspace, home }: Pick<Config, 'workspace' | 'home'>,
): NamedFile[] {
  const named = lines.flatMap(({ words, base, counts }) =>
    words
      .map((word, position) => ({ name: word.replace(/^-[^=/]*=/, ''), isProgram: position === 0 }))
      // A program without a slash is on the PATH, never in the folder.
      .filter(({ name, isProgram }) => name !== '' && (!isProgram || name.includes('/')))
      .map(({ name, isProgram }) => ({
        path: resolve(base, expandHome(name, home)),
        isOfMachine: isAbsolute(name),
        isCounted: isProgram || counts === 'files' || isScriptPath(name),
      }))
      .filter(({ path, isOfMachine }) => !isOfMachine || path.startsWith(`${workspace}${sep}`)),
  );
  const found = new Map<string, string>();
  for (const { path, isCounted } of named) {
    const bytes = readScript(path);
    if (bytes !== undefined && (isCounted || isRunnable(path, bytes))) {
      found.set(path, bytesHash(bytes));
    }
  }
  return [...found].map(([path, hash]) => ({ path, hash }));
}

function isRunnable(path: string, bytes: Buffer): boolean {
  return (statSync(path).mode & 0o111) !== 0 || bytes.subarray(0, 2).toString() === '#!';
}

/** Splits a command line at spaces, quotes and operators, which is sufficient to find files. */
export function wordsOfShellLine(line: string): string[] {
  const withoutOutputs = line.replaceAll(/>+\s*[^\s'"`;|&()<>]+/g, ' ');
  return ['sh', ...withoutOutputs.split(/[\s'"`;|&()<>]+/)];
}

function readScript(path: string): Buffer | undefined {
  try {
    return readRegularFile(path, MAX_SCRIPT_BYTES);
  } catch (cause) {
    if (isMissing(cause) || isFolder(cause)) return undefined;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError(
      'config.invalid',
      `A command names ${path}, which is unreadable: ${why}.`,
      {
        details: { file: path },
        suggested_action: 'Make it a regular file that you can read, or change the command.',
        cause,
      },
    );
  }
}

function isFolder(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'EISDIR';
}
