import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import { printSummary, type FailedTest, type RunSummary } from './test-run/run-summary.ts';

/**
 * Counts tests. A file that does not load, a suite whose hook throws, and an error outside of tests are failures. If
 * `CATALOG_TEST_SUMMARY` is set, the summary is written there.
 */
export default class CountingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const summary = summarize(modules, unhandled);
    const path = process.env['CATALOG_TEST_SUMMARY'];
    if (path === undefined) printSummary(summary);
    else writeFileSync(path, JSON.stringify(summary));
  }
}

function summarize(
  modules: readonly TestModule[],
  unhandled: readonly SerializedError[],
): RunSummary {
  const passed: Record<string, number> = {};
  const failed: FailedTest[] = unhandled.map((error) => ({
    text: `outside any test: ${firstLine(error)}`,
  }));
  const skipped: string[] = [];
  for (const module of modules) {
    const file = module.relativeModuleId;
    const fail = (text: string): void => void failed.push({ file, text: `${file}: ${text}` });
    for (const error of module.errors()) fail(firstLine(error));
    for (const suite of module.children.allSuites()) {
      for (const error of suite.errors()) fail(`${suite.fullName}: ${firstLine(error)}`);
    }
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === 'passed') passed[file] = (passed[file] ?? 0) + 1;
      else if (result.state === 'failed') fail(describeFailure(test));
      else {
        const note = result.state === 'skipped' ? result.note : undefined;
        skipped.push(`${file}: ${test.fullName}: ${note ?? 'no reason given'}`);
      }
    }
  }
  return { passed, failed, skipped };
}

function describeFailure(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  return `${test.fullName}: ${error === undefined ? 'no error given' : firstLine(error)}`;
}

function firstLine({ message }: SerializedError): string {
  return (message.split('\n', 1)[0] ?? '').slice(0, 300);
}
