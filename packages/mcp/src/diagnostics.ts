import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { escapeControls } from '@catalog/contract/text/escape-controls';

/** Maximum number of logged protocol errors, because a host may send any number. */
const MAX_PROBLEMS = 100;

/** Log of the server, for everything except protocol messages. */
export interface Diagnostics {
  note: (line: string) => void;
  problem: (line: string) => void;
  /** Logs an error of catalog with its next step, and any other error with its stack. */
  failure: (error: unknown) => void;
}

export function openDiagnostics(write: (text: string) => void): Diagnostics {
  let problems = 0;
  // Line breaks are escaped, so that content of a registry cannot imitate a log line.
  const note = (line: string): void => write(`catalog-mcp: ${escapeControls(line)}\n`);
  return {
    note,
    problem(line) {
      problems += 1;
      if (problems < MAX_PROBLEMS) note(line);
      if (problems === MAX_PROBLEMS) note(`${line}; further lines like this are not reported`);
    },
    failure(error) {
      if (error instanceof CatalogError) {
        const { message, code, suggested_action } = error;
        const [what, next] = [escapeControls(message), escapeControls(suggested_action)];
        return write(`error: ${what}\n code: ${code}\n next: ${next}\n`);
      }
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return write(`catalog-mcp: internal error: ${escapeControls(stack, 'lines')}\n`);
    },
  };
}
