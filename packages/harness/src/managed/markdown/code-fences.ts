/** The signs that open a fenced code block, and that alone, as often or more, close it. */
export interface Fence {
  sign: string;
  length: number;
}

const OPENING = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;
const CLOSING = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

/** The fence a line opens; undefined where it opens none. */
export function readOpening(line: string): Fence | undefined {
  const match = OPENING.exec(line);
  const signs = match?.[1] ?? match?.[2];
  return signs === undefined ? undefined : { sign: signs.charAt(0), length: signs.length };
}

/** Whether a line closes a fence. */
export function isClosing(line: string, { sign, length }: Fence): boolean {
  const signs = CLOSING.exec(line)?.[1];
  return signs?.charAt(0) === sign && signs.length >= length;
}

/** The line that would close the code a text ends in; undefined where it ends in none. */
export function missingClosing(lines: readonly string[]): string | undefined {
  let open: Fence | undefined;
  for (const line of lines) {
    if (open === undefined) open = readOpening(line);
    else if (isClosing(line, open)) open = undefined;
  }
  return open?.sign.repeat(open.length);
}
