import type { InlineReport } from './check-inline-commands.ts';

/** A program that executes fewer spellings was probably not driven as intended. */
const MIN_EXECUTED = 20;

export function isCovered({ executed, missed }: InlineReport): boolean {
  return missed.length === 0 && executed.length >= MIN_EXECUTED;
}

export function inlineTable(reports: readonly InlineReport[]): string {
  return reports
    .flatMap(({ program, spellings, expanded, executed, missed }) => [
      `${program}: ${spellings} spellings, ${executed.length} executed, ${missed.length} missed`,
      ...(expanded === spellings ? [] : [`  rejected by the program: ${spellings - expanded}`]),
      ...(executed.length >= MIN_EXECUTED
        ? []
        : [`  failed: fewer than ${MIN_EXECUTED} spellings were executed`]),
      ...missed.map((title) => `  missed: ${title}`),
    ])
    .map((line) => `${line}\n`)
    .join('');
}
