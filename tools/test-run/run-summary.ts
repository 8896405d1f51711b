/** Results of a test run. */
export interface RunSummary {
  /** Number of passed tests by file. */
  passed: Readonly<Record<string, number>>;
  failed: readonly FailedTest[];
  /** One line for each skipped test, with the reason. */
  skipped: readonly string[];
}

export interface FailedTest {
  /** Missing for an error outside any test. */
  file?: string;
  /** One line. */
  text: string;
}

/** More files than this do not fail because of the load: they do not run again. */
const MAX_REPEATED_FILES = 20;

/** Returns the files that failed and can run again; none if a failure belongs to no file or there are too many. */
export function listRepeatable({ failed }: RunSummary): string[] {
  const files = new Set(failed.flatMap(({ file }) => file ?? []));
  const isRepeatable = failed.every(({ file }) => file !== undefined);
  return isRepeatable && files.size <= MAX_REPEATED_FILES ? [...files] : [];
}

/** Replaces the results of the files that ran again. */
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

/** Prints failures and skipped tests again, one line each, so that they are in the end of a long log. */
export function printSummary({ passed, failed, skipped }: RunSummary): void {
  const count = Object.values(passed).reduce((sum, number) => sum + number, 0);
  for (const line of skipped) process.stdout.write(`skipped ${line}\n`);
  for (const { text } of failed) process.stdout.write(`failed ${text}\n`);
  process.stdout.write(`${count} passed, ${failed.length} failed\n`);
}
