/** Takes lines as they come and passes them on together. */
export interface LineGatherer {
  write(line: string): void;
  /** Passes on what is waiting. */
  flush(): void;
}

/** A line waits this long at most, and less when many come. */
const WAIT_MS = 10;
const MOST_CHARACTERS = 65_536;

/**
 * Passes lines on together: under load, to write each by itself would cost more than the request it
 * tells of.
 */
export function gatherLines(pass: (lines: string) => void): LineGatherer {
  let waiting = '';

  function flush(): void {
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    pass(lines);
  }

  return {
    write(line) {
      if (waiting === '') setTimeout(flush, WAIT_MS);
      waiting += line;
      if (waiting.length > MOST_CHARACTERS) flush();
    },
    flush,
  };
}
