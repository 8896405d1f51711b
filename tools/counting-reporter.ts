import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/**
 * Ends a run with `N passed, N failed`. A file that does not load, a suite whose hook throws and an
 * error outside any test are failures like any other. Each failure is named again in one line, where
 * the end of a long log still shows it, and what was skipped is listed with its reason, so that
 * nothing disappears unseen.
 */
export default class CountingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    const failed = unhandled.map((error) => `outside any test: ${firstLine(error)}`);
    const skipped: string[] = [];
    for (const module of modules) {
      const file = module.relativeModuleId;
      failed.push(...module.errors().map((error) => `${file}: ${firstLine(error)}`));
      for (const suite of module.children.allSuites()) {
        const name = `${file}: ${suite.fullName}`;
        failed.push(...suite.errors().map((error) => `${name}: ${firstLine(error)}`));
      }
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') passed += 1;
        else if (result.state === 'failed') failed.push(describeFailure(file, test));
        else {
          const note = result.state === 'skipped' ? result.note : undefined;
          skipped.push(`${file}: ${test.fullName}: ${note ?? 'no reason given'}`);
        }
      }
    }
    for (const line of skipped) process.stdout.write(`skipped ${line}\n`);
    for (const line of failed) process.stdout.write(`failed ${line}\n`);
    process.stdout.write(`${passed} passed, ${failed.length} failed\n`);
  }
}

function describeFailure(file: string, test: TestCase): string {
  const [error] = test.result().errors ?? [];
  return `${file}: ${test.fullName}: ${error === undefined ? 'no error given' : firstLine(error)}`;
}

function firstLine({ message }: SerializedError): string {
  return (message.split('\n', 1)[0] ?? '').slice(0, 300);
}
