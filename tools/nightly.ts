import { allBenchmarks } from '../bench/all-benchmarks.ts';
import { allStressTests } from '../tests/stress/all-stress-tests.ts';
import { runPipeline } from './pipeline/run-pipeline.ts';
import { installSteps, type Step } from './pipeline/step.ts';

/** Steps of the nightly run: every benchmark and stress test at full size, with histories that depend on the commit. */
const steps: readonly Step[] = [
  ...installSteps('on disk'),
  { name: 'build', command: ['./dev', 'build'] },
  { name: 'fuzzing', command: ['./dev', 'schemathesis'], after: ['services', 'programs'] },
  ...allStressTests.map(({ name }) => ({
    name: `stress, ${name}`,
    command: ['./dev', 'stress', name, '--seed', 'commit'],
  })),
  ...allBenchmarks.map(({ name }) => ({
    name: `bench, ${name}`,
    command: ['./dev', 'bench', name],
  })),
];

process.exitCode = await runPipeline(steps);
