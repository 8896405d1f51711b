import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import type { TestOutcome } from './decide-coverage.ts';
import { saveResults } from './results.ts';

/**
 * Keeps what each test claimed and how it ended. Only a complete run is kept: the outcomes of a
 * filtered one would say that everything else is uncovered.
 */
export default class RequirementsReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    if (!this.#vitest) return;
    const all = await this.#vitest.globTestSpecifications();
    if (modules.length < all.length || this.#vitest.config.testNamePattern) return;
    const outcomes = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => outcomeOf(module, test)),
    );
    saveResults(this.#vitest.config.root, outcomes, new Date());
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
