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
  /** True if text for the terminal may have colors. */
  color: boolean;
  /** If false, the command fails instead of asking, and names the flag to pass. */
  interactive: boolean;
  /** Reads standard input; undefined if it is a terminal. */
  readInput: () => string | undefined;
  /** Signal that aborts on SIGINT and SIGTERM. */
  signal: AbortSignal;
  /** Calls a listener on SIGHUP, which otherwise ends the run, unless stdin is a terminal. */
  onHangup: (listener: () => void) => void;
  /** Writes a line to stderr. */
  note: (line: Line) => void;
  /** Shows progress in place of the last one, on a terminal and only if the work takes long. */
  progress: (line: string) => void;
  /** Writes one result of a command that has several, such as watch. */
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

/**
 * Result of a command. The program prints `lines`, or the document with `--json`; commands write nothing themselves.
 */
export interface CommandResult {
  /** Lines for a terminal. A string is written unchanged, for other programs. */
  lines: readonly Line[] | string;
  json: unknown;
  exit?: number;
  /** Error next to a valid result, shown after the lines and as `error` in the document. */
  error?: CatalogError | RegistryError;
}
