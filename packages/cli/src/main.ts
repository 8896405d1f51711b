import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import { setStopListeners } from '@catalog/consumer/interruptible';
import { now } from './clock.ts';
import { runProgram } from './program.ts';

const SIGNALS: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
];

const GRACE_MS = 800;

export async function main(): Promise<void> {
  const stopping = new AbortController();
  let stopped: number | undefined;
  let isLongLived = false;
  let onHangup: (() => void) | undefined;
  const listeners = new Map<NodeJS.Signals, () => void>();
  for (const [name, exit] of SIGNALS) {
    const listener = (): void => {
      if (name === 'SIGHUP' && onHangup !== undefined) {
        onHangup();
        return;
      }
      if (stopped !== undefined) process.exit(exit);
      stopped = exit;
      stopping.abort();
      // Long-lived commands limit the time of their shutdown; a second signal ends them immediately.
      if (!isLongLived) setTimeout(() => process.exit(exit), GRACE_MS).unref();
    };
    process.on(name, listener);
    listeners.set(name, listener);
  }
  const guarded = new Set<NodeJS.WriteStream>();
  function guard(stream: NodeJS.WriteStream): NodeJS.WriteStream {
    if (guarded.has(stream)) return stream;
    guarded.add(stream);
    return stream.on('error', (error: NodeJS.ErrnoException) => {
      // The reader of the pipe has exited, as in `catalog ... | head`.
      if (error.code !== 'EPIPE') throw error;
      stopping.abort();
    });
  }
  const exit = await runProgram({
    argv: process.argv.slice(2),
    cwd: () => process.cwd(),
    home: homedir(),
    env: process.env,
    // Opening stdin as a stream would take longer than the rest of the start.
    stdin: { isTTY: isatty(0), read: () => readFileSync(0, 'utf8') },
    get stdout() {
      return guard(process.stdout);
    },
    get stderr() {
      return guard(process.stderr);
    },
    signal: stopping.signal,
    onHangup: (listener) => {
      onHangup = listener;
    },
    now,
    beforeCommand: async ({ long_lived, long_running }) => {
      isLongLived = long_lived === true;
      if (!isLongLived) setStopListeners(listeners);
      if (!isLongLived && long_running !== true) await disableTurbofan();
    },
  });
  // A signal is the normal end of a long-lived command.
  process.exitCode = isLongLived ? exit : (stopped ?? exit);
}

/** Disables the optimizing compiler, because short commands end before it pays off (ADR-0011). */
async function disableTurbofan(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--no-turbofan');
}
