import { pino, type Logger } from 'pino';
import { now } from '../adapters/clock.ts';
import { gatherLines } from './gather-lines.ts';
import { createTextStream } from './text-stream.ts';

/** The log of a registry: one line for each thing an operator may want to know. */
export type Log = Logger;

export interface LogOptions {
  level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** `json` for collectors, `text` for people. */
  format: 'json' | 'text';
  /** A file descriptor, or a stream; of a text log. */
  output: LogOutput;
}

export interface LogOutput {
  write(text: string): unknown;
  /** Where JSON lines go without passing through a stream. */
  fd?: number | undefined;
  color?: boolean | undefined;
}

export interface OpenedLog {
  log: Log;
  /** Everything that was logged is written when it returns. */
  flush: () => Promise<void>;
}

/** Lines of JSON, or text where a person reads along. Times are RFC 3339 in UTC. */
export function openLog({ level, format, output }: LogOptions): OpenedLog {
  const options = {
    level,
    base: null,
    timestamp: timeMember,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: pino.stdSerializers.err },
  };
  if (format === 'text') return written(pino(options, createTextStream(output)));
  if (output.fd === undefined) return written(pino(options, output));
  // Written behind the requests; whoever stops the registry waits for the last lines.
  const destination = pino.destination({ dest: output.fd, sync: false });
  // A registry outlives whoever read its log.
  destination.on('error', () => undefined);
  const lines = gatherLines((text) => destination.write(text));
  return {
    log: pino(options, lines),
    flush: () =>
      new Promise((resolve) => {
        lines.flush();
        destination.flush(() => resolve());
      }),
  };
}

let last = Number.NaN;
let member = '';

/** The `time` of a line. Under load many lines share a millisecond; it is put into words once. */
function timeMember(): string {
  const moment = now();
  if (moment.getTime() !== last) {
    last = moment.getTime();
    member = `,"time":"${moment.toISOString()}"`;
  }
  return member;
}

/** A log whose lines are written before the next thing happens. */
function written(log: Log): OpenedLog {
  return { log, flush: async () => undefined };
}
