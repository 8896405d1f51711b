/** Time after which progress is shown. */
const SHOW_AFTER_MS = 300;
const REDRAW_EVERY_MS = 80;

export interface Progress {
  show(line: string): void;
  /** Removes the progress. Call it before any other output. */
  clear(): void;
}

/** Opens the progress, which shows nothing without a terminal. */
export function openProgress(
  stream: { write(text: string): unknown; isTTY?: boolean | undefined },
  { started, now }: { started: number; now: () => number },
): Progress {
  let drawnAt: number | undefined;
  return {
    show(line) {
      if (stream.isTTY !== true || now() - started < SHOW_AFTER_MS) return;
      if (drawnAt !== undefined && now() - drawnAt < REDRAW_EVERY_MS) return;
      drawnAt = now();
      stream.write(`\r\u001B[2K${line}`);
    },
    clear() {
      if (drawnAt === undefined) return;
      drawnAt = undefined;
      stream.write('\r\u001B[2K');
    },
  };
}

const BAR_WIDTH = 20;

export function progressBar(done: number, total: number): string {
  const filled = total === 0 ? 0 : Math.round((Math.min(done, total) / total) * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}]`;
}
