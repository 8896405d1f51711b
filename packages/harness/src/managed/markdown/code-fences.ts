/** Code fence. A line of the same character, at least as long, closes it. */
export interface Fence {
  sign: string;
  length: number;
}

const OPENING = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;
const CLOSING = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

export function readOpening(line: string): Fence | undefined {
  const match = OPENING.exec(line);
  const signs = match?.[1] ?? match?.[2];
  return signs === undefined ? undefined : { sign: signs.charAt(0), length: signs.length };
}

export function isClosing(line: string, { sign, length }: Fence): boolean {
  const signs = CLOSING.exec(line)?.[1];
  return signs?.charAt(0) === sign && signs.length >= length;
}

/** Returns the missing closing fence; undefined if all are closed. */
export function missingClosing(lines: readonly string[]): string | undefined {
  let open: Fence | undefined;
  for (const line of lines) {
    if (open === undefined) open = readOpening(line);
    else if (isClosing(line, open)) open = undefined;
  }
  return open?.sign.repeat(open.length);
}
