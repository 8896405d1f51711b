import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { RegistryError } from '@catalog/sdk/registry-error';
import type { Line } from '../output/text.ts';
import type { CommandDefinition } from './definition.ts';

/** Environment of a run. Commands use it instead of reading the process directly. */
export interface Session {
  cwd: string;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  json: boolean;
  /** Only for text that is formatted before it reaches the output. */
  color: boolean;
  /** If false, the command fails instead of prompting and names the flag to pass. */
  interactive: boolean;
  /** Undefined if standard input is a terminal. */
  readInput: () => string | undefined;
  /** Aborts on SIGINT and SIGTERM. */
  signal: AbortSignal;
  /** Calls the listener on SIGHUP instead of ending the run, unless stdin is a terminal. */
  onHangup: (listener: () => void) => void;
  /** Writes to stderr. */
  note: (line: Line) => void;
  /** Replaces the previous progress line. Only on a terminal, and only if the work takes long. */
  progress: (line: string) => void;
  /** Writes one result of a command with several results, such as watch. */
  emit: (result: CommandResult) => void;
  openLogOutput: () => LogOutput;
  definitions: readonly CommandDefinition[];
}

export interface LogOutput {
  write: (text: string) => void;
  fd: number | undefined;
  terminal: boolean;
  color: boolean;
}

/** Commands write nothing themselves: the program prints `lines`, or the document with `--json`. */
export interface CommandResult {
  /** A string is written unchanged, for output that other programs read. */
  lines: readonly Line[] | string;
  json: unknown;
  exit?: number;
  /** Error that accompanies a valid result: shown after the lines, and as `error` in the document. */
  error?: CatalogError | RegistryError;
}
