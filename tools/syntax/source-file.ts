import { parseSync, type Comment, type Program } from 'oxc-parser';

export interface SourceFile {
  /** Relative to the root of the repository, with `/`. */
  path: string;
  text: string;
  program: Program;
  comments: readonly Comment[];
}

/** Throws on a syntax error, because a partial syntax tree would hide code from the checks. */
export function loadSource(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text);
  const [first] = errors;
  if (first) throw new Error(`${path}: ${first.message}`);
  return { path, text, program, comments };
}

/** 1-based. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}

/** 1-based. */
export function columnAt(text: string, offset: number): number {
  return offset - text.lastIndexOf('\n', offset - 1);
}
