import type { Launch } from '@catalog/consumer/trust/approve-launch';
import { isAbsolute, resolve } from 'node:path';
import { findProgram } from '@catalog/consumer/materialize/find-program';
import { runProgram } from '@catalog/consumer/marketplace/run-program';
import { VERSION } from '@catalog/contract/version';
import type { ExaminedProgram, Problem } from './examination.ts';

const VERSION_TIMEOUT_MS = 10_000;

interface Place {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
}

/** Finds the program like a harness, and runs it with `--version`. */
export async function examineProgram(
  { command, args }: Launch,
  { cwd, env, signal }: Place,
): Promise<{ program: ExaminedProgram; problems: Problem[] }> {
  const isPath = command.includes('/') || isAbsolute(command);
  const path = isPath ? resolve(cwd, command) : findProgram(command, env['PATH']);
  if (path === undefined) {
    return {
      program: { command, path, version: undefined },
      problems: [
        {
          what: `${command} is not on the PATH.`,
          next: 'Install it with `npm install --global @catalog/cli`, or use its absolute path as `command` in the entry: a harness started from the desktop has a different PATH than a shell.',
        },
      ],
    };
  }
  const versionRun = await runProgram(
    {
      words: [path, ...args, '--version'],
      directory: cwd,
      env,
      keep_stdout: true,
      timeout_ms: VERSION_TIMEOUT_MS,
    },
    signal,
  );
  const version = /^catalog-mcp (\S+)$/m.exec(versionRun.stdout)?.[1];
  return { program: { command, path, version }, problems: findMismatch(path, version) };
}

function findMismatch(path: string, version: string | undefined): Problem[] {
  if (version === VERSION) return [];
  const what =
    version === undefined
      ? `${path} does not identify itself as catalog-mcp.`
      : `${path} is version ${version}, but this catalog is ${VERSION}.`;
  return [{ what, next: 'Correct `command` in the entry, or reinstall catalog.' }];
}
