import type { CommandResult, LogOutput } from '../command/session.ts';
import { wantsColor } from './color.ts';
import { openProgress, type Progress } from './progress.ts';
import { fitToScreen } from './fit-to-screen.ts';
import { renderLine, type Line } from './text.ts';

export interface Sink {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  fd?: number | undefined;
}

export interface PrinterEnvironment {
  env: Readonly<Record<string, string | undefined>>;
  stdout: Sink;
  stderr: Sink;
  now: () => number;
}

export interface Printer {
  result: (result: CommandResult) => void;
  emit: (result: CommandResult) => void;
  failure: (lines: readonly Line[], document: unknown) => void;
  note: (line: Line) => void;
  progress: (line: string) => void;
  clear: () => void;
  openLogOutput: () => LogOutput;
}

/**
 * Opens the output. With `--json`, stdout contains only documents. A stream is opened only to write, because opening
 * one takes a large part of a short run.
 */
export function openPrinter(world: PrinterEnvironment, json: boolean): Printer {
  const started = world.now();
  let progress: Progress | undefined;

  function write(result: CommandResult, indent: number): void {
    progress?.clear();
    const { stdout, env } = world;
    if (json) {
      const document = JSON.stringify(withError(result), undefined, indent);
      if (document !== undefined) stdout.write(`${document}\n`);
    } else if (typeof result.lines === 'string') {
      stdout.write(result.lines);
    } else if (result.lines.length > 0) {
      stdout.write(result.lines.map((line) => renderFor(line, stdout, env)).join(''));
    }
  }

  function note(line: Line): void {
    progress?.clear();
    const { stderr, env } = world;
    stderr.write(renderFor(line, stderr, env));
  }

  function openLogOutput(): LogOutput {
    const { stderr, env } = world;
    return {
      write(text) {
        progress?.clear();
        stderr.write(text);
      },
      fd: stderr.fd,
      terminal: stderr.isTTY === true,
      color: wantsColor(env, stderr),
    };
  }

  return {
    note,
    openLogOutput,
    clear: () => progress?.clear(),
    result: (result) => write(result, 2),
    emit: (result) => write(result, 0),
    failure(lines, document) {
      if (json) world.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
      for (const line of lines) note(line);
    },
    progress(line) {
      if (json) return;
      progress ??= openProgress(world.stderr, { started, now: world.now });
      progress.show(renderLine(line, false));
    },
  };
}

function renderFor(line: Line, stream: Sink, env: PrinterEnvironment['env']): string {
  const color = wantsColor(env, stream);
  const lines = stream.isTTY === true ? fitToScreen(line, stream.columns) : [line];
  return lines.map((each) => `${renderLine(each, color)}\n`).join('');
}

function withError({ json, error }: CommandResult): unknown {
  if (error === undefined) return json;
  return { ...(typeof json === 'object' ? json : { result: json }), error: error.toEnvelope() };
}
