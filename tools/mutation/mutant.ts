/** One small change to one file, which some test should notice. */
export interface Mutant {
  file: string;
  start: number;
  end: number;
  line: number;
  operator: string;
  original: string;
  replacement: string;
  /** The whole line it stands on, without its indentation: with the change, its stable name. */
  context: string;
}

export type Verdict = 'killed' | 'timeout' | 'survived' | 'no-coverage';

export interface MutantResult {
  mutant: Mutant;
  verdict: Verdict;
  /** The test file that noticed. */
  killed_by?: string;
}

export function applyMutant(text: string, mutant: Mutant): string {
  return text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end);
}
