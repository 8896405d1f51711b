/** A line, or what makes it when it is time to write it. */
export type Line = string | (() => string);

/** Takes lines as they come and passes them on together. */
export interface LineGatherer {
  write(line: Line): void;
  /** Passes on what is waiting. */
  flush(): void;
}

/** A line waits this long at most, and less when many come. */
const WAIT_MS = 10;
const MOST_LINES = 500;

/**
 * Passes lines on together: under load, to make and write each by itself would cost more than the
 * request it tells of.
 */
export function gatherLines(pass: (lines: string) => void): LineGatherer {
  let waiting: Line[] = [];

  function flush(): void {
    if (waiting.length === 0) return;
    const lines = waiting;
    waiting = [];
    pass(lines.map((line) => (typeof line === 'string' ? line : line())).join(''));
  }

  return {
    write(line) {
      if (waiting.length === 0) setTimeout(flush, WAIT_MS);
      waiting.push(line);
      if (waiting.length >= MOST_LINES) flush();
    },
    flush,
  };
}
