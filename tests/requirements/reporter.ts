import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import type { TestOutcome } from './decide-coverage.ts';
import { replaceResults, saveResults } from './results.ts';

/**
 * Saves only complete runs: after a filtered run, all other requirements would appear uncovered. A run
 * that repeats failed files (`CATALOG_TEST_REPEATS`) replaces the outcomes of those files.
 */
export default class RequirementsReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    if (!this.#vitest) return;
    const { root, testNamePattern } = this.#vitest.config;
    const repeats = process.env['CATALOG_TEST_REPEATS'] !== undefined;
    const all = await this.#vitest.globTestSpecifications();
    if ((!repeats && modules.length < all.length) || testNamePattern) return;
    const outcomes = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => outcomeOf(module, test)),
    );
    if (repeats) {
      const files = modules.map((module) => module.relativeModuleId);
      replaceResults(root, files, outcomes, new Date());
    } else saveResults(root, outcomes, new Date());
  }
}

function outcomeOf(module: TestModule, test: TestCase): TestOutcome[] {
  const { verifies, through } = test.meta();
  if (!verifies) return [];
  const { state } = test.result();
  return [
    {
      file: module.relativeModuleId,
      name: test.fullName,
      state: state === 'pending' ? 'skipped' : state,
      verifies,
      through: through ?? [],
    },
  ];
}
