import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface LineProcess {
  pid: number;
  write(bytes: string | Buffer): Promise<void>;
  /** Returns the next line of stdout; undefined after its end. */
  nextLine(): Promise<string | undefined>;
  stderr(): string;
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
  // Ignores write errors after the process has exited; the exit itself is reported by `end`.
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
