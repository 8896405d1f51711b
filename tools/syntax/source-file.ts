import { parseSync, type Program } from 'oxc-parser';

/** One parsed TypeScript file. */
export interface SourceFile {
  /** Relative to the root of the repository, with `/`. */
  path: string;
  text: string;
  program: Program;
}

/** Parses a file; a syntax error is thrown, because what was not parsed cannot be judged. */
export function loadSource(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  const [first] = errors;
  if (first) throw new Error(`${path}: ${first.message}`);
  return { path, text, program };
}

/** The 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}
