export type Line = string | (() => string);

export interface LineGatherer {
  write(line: Line): void;
  flush(): void;
}

const WAIT_MS = 10;
const MAX_LINES = 500;

/** Collects log lines: under load, writing each line separately would cost more than the request. */
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
      if (waiting.length >= MAX_LINES) flush();
    },
    flush,
  };
}
