import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { RegistryError } from '@catalog/sdk/registry-error';
import type { Line } from '../output/text.ts';
import type { CommandDefinition } from './definition.ts';

/** The outside of a run, handed to the commands so that none reads the process by itself. */
export interface Session {
  cwd: string;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** `--json` was given: stdout belongs to the document. */
  json: boolean;
  /** Whether stdout takes colour; only for text that is made elsewhere. */
  color: boolean;
  /** Whether a question may be asked. Without it a command fails and names the flag that answers. */
  interactive: boolean;
  /** Reads standard input to its end; undefined if it is a terminal. */
  readInput: () => string | undefined;
  /** Fires on SIGINT and SIGTERM. */
  signal: AbortSignal;
  /** Calls the listener on SIGHUP instead of ending the run, unless stdin is a terminal. */
  onHangup: (listener: () => void) => void;
  /** A line for people beside the result; goes to stderr. */
  note: (line: Line) => void;
  /** A line that replaces itself while work goes on; shown only on a terminal, only once it takes long. */
  progress: (line: string) => void;
  /** One result of a command that has many, such as watch. */
  emit: (result: CommandResult) => void;
  /** Where a command that lives on writes its log: stderr. */
  openLogOutput: () => LogOutput;
  /** Every command, for help and completion. */
  definitions: readonly CommandDefinition[];
}

export interface LogOutput {
  write: (text: string) => void;
  /** The descriptor, where it has one: lines may go there without passing through a stream. */
  fd: number | undefined;
  /** Whether a person reads along. */
  terminal: boolean;
  color: boolean;
}

/**
 * What a command ends with, in both languages. Commands write nothing themselves: the program
 * prints `lines`, or under `--json` the document, so stdout never holds anything else.
 */
export interface CommandResult {
  /** For people, on stdout; a string is written as it is, for output that other programs read. */
  lines: readonly Line[] | string;
  /** For programs. */
  json: unknown;
  /** The exit code; 0 when absent, or the error's. */
  exit?: number;
  /** The result stands, and yet it is a failure: shown after the lines, and as `error` in the document. */
  error?: CatalogError | RegistryError;
}
