import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';

export interface Trial {
  file: string;
  text: string;
  /** The files of a group run one after the other until one fails. */
  groups: string[][];
}

export interface TrialAnswer {
  failed: boolean;
  failures: string[];
}

// Reuses one Vitest for all trials, because a start would take longer than most trials.
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
      // Vitest returns every file that it has ever run, so only the requested files count.
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
