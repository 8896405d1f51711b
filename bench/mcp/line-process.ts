import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A process that is spoken to line by line. */
export interface LineProcess {
  pid: number;
  write(bytes: string | Buffer): Promise<void>;
  /** The next line on stdout; undefined once it has ended. */
  nextLine(): Promise<string | undefined>;
  /** What is on stderr so far. */
  stderr(): string;
  /** Closes stdin and waits for the end; the exit code, or the signal that ended it. */
  end(): Promise<number | NodeJS.Signals>;
}

export interface LineProcessOptions {
  cwd: string;
  env: Record<string, string>;
}

export function startLines(command: readonly string[], options: LineProcessOptions): LineProcess {
  const [program = '', ...words] = command;
  const child = spawn(program, words, options);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('latin1')));
  // A process that is gone takes nothing; that it is gone shows at its end.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const closed = once(child, 'close');
  return {
    pid: child.pid ?? 0,
    async write(bytes) {
      if (!child.stdin.write(bytes) && child.exitCode === null) {
        await Promise.race([once(child.stdin, 'drain'), closed]);
      }
    },
    nextLine: async () => {
      const next = await lines.next();
      return next.done === true ? undefined : next.value;
    },
    stderr: () => stderr,
    async end() {
      child.stdin.end();
      await closed;
      return child.exitCode ?? child.signalCode ?? -1;
    },
  };
}
