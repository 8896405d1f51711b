import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Ends a run with `N passed, N failed`. A file that does not load, a suite whose hook throws and an
 * error outside any test are failures like any other; what was skipped is listed with its reason,
 * so that nothing disappears unseen.
 */
export default class CountingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    let failed = unhandled.length;
    const skipped: string[] = [];
    for (const module of modules) {
      failed += module.errors().length;
      for (const suite of module.children.allSuites()) failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') passed += 1;
        else if (result.state === 'failed') failed += 1;
        else {
          const note = result.state === 'skipped' ? result.note : undefined;
          skipped.push(
            `${module.relativeModuleId}: ${test.fullName}: ${note ?? 'no reason given'}`,
          );
        }
      }
    }
    for (const line of skipped) process.stdout.write(`skipped ${line}\n`);
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
  }
}
