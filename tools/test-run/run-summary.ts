export interface RunSummary {
  /** Counts per file. */
  passed: Readonly<Record<string, number>>;
  failed: readonly FailedTest[];
  skipped: readonly string[];
}

export interface FailedTest {
  /** Absent for an error outside any test. */
  file?: string;
  text: string;
}

/** More failures than this are not caused by load. */
const MAX_REPEATED_FILES = 20;

/** Returns the files to run again: the failed ones. Empty if an error has no file or too many files failed. */
export function listRepeatable({ failed }: RunSummary): string[] {
  const files = new Set(failed.flatMap(({ file }) => file ?? []));
  const isRepeatable = failed.every(({ file }) => file !== undefined);
  return isRepeatable && files.size <= MAX_REPEATED_FILES ? [...files] : [];
}

export function mergeSummaries(
  first: RunSummary,
  again: RunSummary,
  files: readonly string[],
): RunSummary {
  const isOther = (file: string | undefined): boolean =>
    file === undefined || !files.includes(file);
  const others = Object.entries(first.passed).filter(([file]) => isOther(file));
  return {
    passed: { ...Object.fromEntries(others), ...again.passed },
    failed: [...first.failed.filter(({ file }) => isOther(file)), ...again.failed],
    skipped: [
      ...first.skipped.filter((line) =>
        isOther(files.find((file) => line.startsWith(`${file}: `))),
      ),
      ...again.skipped,
    ],
  };
}

/** Prints one line each, so that they are at the end of a long log. */
export function printSummary({ passed, failed, skipped }: RunSummary): void {
  const count = Object.values(passed).reduce((sum, number) => sum + number, 0);
  for (const line of skipped) process.stdout.write(`skipped ${line}\n`);
  for (const { text } of failed) process.stdout.write(`failed ${text}\n`);
  process.stdout.write(`${count} passed, ${failed.length} failed\n`);
}
