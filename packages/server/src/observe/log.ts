import { pino, type Logger, type LoggerOptions } from 'pino';
import { now } from '../adapters/clock.ts';
import { gatherLines, type Line } from './gather-lines.ts';
import { createTextStream } from './text-stream.ts';

/** Rejects field names that every line already has. */
type LineFields<Fields> = {
  [Name in keyof Fields]: Name extends 'level' | 'time' | 'msg' ? never : Fields[Name];
};

interface WriteLine {
  <Fields extends object>(fields: LineFields<Fields>, msg: string): void;
  (msg: string): void;
}

export type Log = Pick<Logger, 'level'> & {
  [Level in 'debug' | 'info' | 'warn' | 'error']: WriteLine;
} & {
  /**
   * Writes an info line for a request, formatted later in a batch. The entry must have at least one field and only
   * plain values, and must not change; the message must not need JSON escapes.
   */
  line<Fields extends object>(entry: LineFields<Fields>, msg: string): void;
};

export interface LogOptions {
  level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  format: 'json' | 'text';
  output: LogOutput;
}

export interface LogOutput {
  write(text: string): unknown;
  fd?: number | undefined;
  color?: boolean | undefined;
}

export interface OpenedLog {
  log: Log;
  flush: () => Promise<void>;
}

/** Opens the log. Times are RFC 3339 in UTC. */
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
  // Lines are written asynchronously, so a shutdown waits for the last ones.
  const destination = pino.destination({ dest: output.fd, sync: false });
  // The registry continues if the reader of its log closes the pipe.
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

/** Formats each millisecond once, because many lines share it under load. */
function currentTime(): string {
  const moment = now();
  if (moment.getTime() !== last) {
    last = moment.getTime();
    words = moment.toISOString();
  }
  return words;
}
