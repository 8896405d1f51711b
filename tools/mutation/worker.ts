import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';

/** A file with new content, and the tests that must notice, in the order to try them. */
export interface Trial {
  file: string;
  text: string;
  /** Run one group after the other until one fails. */
  groups: string[][];
}

export interface TrialAnswer {
  failed: boolean;
  /** The test files that failed. */
  failures: string[];
}

// One Vitest for many trials: starting it anew would cost more than most trials do.
const [root = ''] = process.argv.slice(2);
const vitest = await createVitest({
  root,
  watch: false,
  reporters: [{}],
  maxWorkers: 1,
  bail: 1,
});

process.on('message', (trial: Trial) => {
  void runTrial(trial).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function runTrial(trial: Trial): Promise<TrialAnswer> {
  const path = join(root, trial.file);
  const original = readFileSync(path, 'utf8');
  replaceFile(path, trial.text);
  try {
    for (const group of trial.groups) {
      const paths = group.map((file) => join(root, file));
      const run = await vitest.runTestFiles(paths);
      // The run answers with every file this Vitest has ever run; the others are old news.
      const failures = run.testModules.filter(
        (module) => paths.includes(module.moduleId) && !module.ok(),
      );
      if (failures.length > 0 || run.unhandledErrors.length > 0) {
        return { failed: true, failures: failures.map((module) => module.relativeModuleId) };
      }
    }
    return { failed: false, failures: [] };
  } finally {
    replaceFile(path, original);
  }
}

function replaceFile(path: string, text: string): void {
  writeFileSync(path, text);
  vitest.invalidateFile(path);
}
