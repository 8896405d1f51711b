import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { escapeControls } from '@catalog/contract/text/escape-controls';

/** A host that sends garbage must not fill its log. */
const MAX_PROBLEMS = 100;

/** Output of everything except protocol messages. */
export interface Diagnostics {
  note: (line: string) => void;
  problem: (line: string) => void;
  /** Logs a catalog error with its next step; other errors with their stack. */
  failure: (error: unknown) => void;
}

export function openDiagnostics(write: (text: string) => void): Diagnostics {
  let problems = 0;
  // Escapes line breaks, so that text of registries and artifacts cannot forge a line.
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
