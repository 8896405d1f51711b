export interface Mutant {
  file: string;
  start: number;
  end: number;
  line: number;
  operator: string;
  original: string;
  replacement: string;
  /** Line without indentation, which identifies the mutant with the change even after edits. */
  context: string;
}

export type Verdict = 'killed' | 'timeout' | 'survived' | 'no-coverage';

export interface MutantResult {
  mutant: Mutant;
  verdict: Verdict;
  /** Or a note that the error was outside any test. */
  killed_by?: string;
}

export function applyMutant(text: string, mutant: Mutant): string {
  return text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end);
}
