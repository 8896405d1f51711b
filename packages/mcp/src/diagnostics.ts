import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { escapeControls } from '@catalog/contract/text/escape-controls';

/** A host that sends nothing but garbage fills its own log otherwise. */
const MOST_PROBLEMS = 100;

/** Where everything goes that is not protocol. */
export interface Diagnostics {
  /** One line for whoever reads the host's log. */
  note: (line: string) => void;
  /** Something that was not understood; after a hundred of them nothing more is said. */
  problem: (line: string) => void;
  /** A failure: what happened, its code, what to do next; for others, where it came from. */
  failure: (error: unknown) => void;
}

export function openDiagnostics(write: (text: string) => void): Diagnostics {
  let problems = 0;
  // What registries and artifacts report must not look like a line of its own.
  const note = (line: string): void => write(`catalog-mcp: ${escapeControls(line)}\n`);
  return {
    note,
    problem(line) {
      problems += 1;
      if (problems < MOST_PROBLEMS) note(line);
      if (problems === MOST_PROBLEMS) note(`${line}; further lines like this are not reported`);
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
