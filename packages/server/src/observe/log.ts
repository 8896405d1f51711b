import { pino, type Logger, type LoggerOptions } from 'pino';
import { now } from '../adapters/clock.ts';
import { gatherLines, type Line } from './gather-lines.ts';
import { createTextStream } from './text-stream.ts';

/** Fields of a line. The compiler rejects names that every line has: the line would have them twice. */
type LineFields<Fields> = {
  [Name in keyof Fields]: Name extends 'level' | 'time' | 'msg' ? never : Fields[Name];
};

/** Writes a message, with fields if there are any. */
interface WriteLine {
  <Fields extends object>(fields: LineFields<Fields>, msg: string): void;
  (msg: string): void;
}

/** The log of a registry: one line for each thing an operator may want to know. */
export type Log = Pick<Logger, 'level'> & {
  [Level in 'debug' | 'info' | 'warn' | 'error']: WriteLine;
} & {
  /**
   * Like `info`, for what is logged with every request: put into words with others when it is written.
   * The entry has plain values, at least one, and is kept; the message has nothing JSON would escape.
   */
  line<Fields extends object>(entry: LineFields<Fields>, msg: string): void;
};

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
    timestamp: () => `,"time":"${currentTime()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: pino.stdSerializers.err },
  };
  if (format === 'text') return written(options, createTextStream(output));
  if (output.fd === undefined) return written(options, output);
  // Written behind the requests; whoever stops the registry waits for the last lines.
  const destination = pino.destination({ dest: output.fd, sync: false });
  // A registry outlives whoever read its log.
  destination.on('error', () => undefined);
  const lines = gatherLines((text) => destination.write(text));
  return {
    log: createLog(options, lines),
    flush: () =>
      new Promise((resolve) => {
        lines.flush();
        destination.flush(() => resolve());
      }),
  };
}

interface Lines {
  write(line: Line): unknown;
}

/** A log whose lines are written before the next thing happens. */
function written(options: LoggerOptions, output: { write(text: string): unknown }): OpenedLog {
  const lines: Lines = {
    write: (line) => output.write(typeof line === 'string' ? line : line()),
  };
  return { log: createLog(options, lines), flush: async () => undefined };
}

function createLog(options: LoggerOptions, lines: Lines): Log {
  const logger = pino(options, { write: (line) => void lines.write(line) });
  return Object.assign(logger, {
    line(entry: object, msg: string): void {
      if (!logger.isLevelEnabled('info')) return;
      const time = currentTime();
      lines.write(() => {
        const members = JSON.stringify(entry).slice(1, -1);
        return `{"level":"info","time":"${time}",${members},"msg":"${msg}"}\n`;
      });
    },
  });
}

let last = Number.NaN;
let words = '';

/** Under load many lines share a millisecond; it is put into words once. */
function currentTime(): string {
  const moment = now();
  if (moment.getTime() !== last) {
    last = moment.getTime();
    words = moment.toISOString();
  }
  return words;
}
