import { parseSync, type Program } from 'oxc-parser';

export interface SourceFile {
  /** Relative to the root of the repository, with `/`. */
  path: string;
  text: string;
  program: Program;
}

/** Throws on a syntax error, because a partial syntax tree would hide code from the checks. */
export function loadSource(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  const [first] = errors;
  if (first) throw new Error(`${path}: ${first.message}`);
  return { path, text, program };
}

/** 1-based. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}
