import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  user?: { uid: number; gid: number } | undefined;
}

/** The error contains the program's stderr. */
export async function runProgram(
  program: string,
  words: readonly string[],
  { cwd, env = {}, user }: RunOptions = {},
): Promise<string> {
  try {
    const { stdout } = await execute(program, words, {
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
      ...(cwd !== undefined && { cwd }),
      ...(user && { uid: user.uid, gid: user.gid }),
    });
    return stdout;
  } catch (error) {
    if (isMissing(error)) throw new Error(`${program} is not installed`, { cause: error });
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
