export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
  /** Line numbers, 1-based; undefined if the version lacks the line. */
  before: number | undefined;
  after: number | undefined;
}

/**
 * Maximum number of edits. With more, all lines count as changed, because the search would block the page (ADR-0067).
 */
const MAX_EDITS = 500;

/** Compares two versions line by line (Myers). */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = splitLines(before);
  const b = splitLines(after);
  const path = shortestEdits(a, b);
  if (path === undefined) {
    return [
      ...a.map((text, at) => line('removed', text, at + 1, undefined)),
      ...b.map((text, at) => line('added', text, undefined, at + 1)),
    ];
  }
  return path;
}

function splitLines(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\n$/, '').split('\n');
}

function line(
  kind: DiffLine['kind'],
  text: string,
  before: number | undefined,
  after: number | undefined,
): DiffLine {
  return { kind, text, before, after };
}

function shortestEdits(a: readonly string[], b: readonly string[]): DiffLine[] | undefined {
  const limit = Math.min(a.length + b.length, MAX_EDITS);
  const furthest = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let edits = 0; edits <= limit; edits += 1) {
    trace.push(new Map(furthest));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isDown = goesDown(furthest, diagonal, edits);
      let x = isDown ? (furthest.get(diagonal + 1) ?? 0) : (furthest.get(diagonal - 1) ?? 0) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      furthest.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return walkBack(trace, a, b);
    }
  }
  return undefined;
}

function goesDown(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  if (diagonal === edits) return false;
  return (furthest.get(diagonal - 1) ?? 0) < (furthest.get(diagonal + 1) ?? 0);
}

function walkBack(
  trace: readonly ReadonlyMap<number, number>[],
  a: readonly string[],
  b: readonly string[],
): DiffLine[] {
  const lines: DiffLine[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const furthest = trace[edits] ?? new Map<number, number>();
    const diagonal = x - y;
    const isDown = goesDown(furthest, diagonal, edits);
    const previous = isDown ? diagonal + 1 : diagonal - 1;
    const startX = furthest.get(previous) ?? 0;
    const startY = startX - previous;
    while (x > Math.max(startX, 0) && y > Math.max(startY, 0) && x > 0 && y > 0) {
      if (edits > 0 && x === startX + (isDown ? 0 : 1) && y === startY + (isDown ? 1 : 0)) break;
      lines.push(line('same', a[x - 1] ?? '', x, y));
      x -= 1;
      y -= 1;
    }
    if (edits === 0) break;
    if (isDown) {
      lines.push(line('added', b[y - 1] ?? '', undefined, y));
      y -= 1;
    } else {
      lines.push(line('removed', a[x - 1] ?? '', x, undefined));
      x -= 1;
    }
  }
  return lines.reverse();
}
