import { runPipeline } from './pipeline/run-pipeline.ts';
import { installSteps, stressStep, type Step } from './pipeline/step.ts';

const MILESTONES = [
  'foundation',
  'registry',
  'standard',
  'identity',
  'harness',
  'mcp',
  'search',
  'web',
] as const;

/** Steps of CI, the fastest first. `./dev` has already installed the packages. */
const steps: readonly Step[] = [
  ...installSteps,
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'lint', command: ['oxlint'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.node.json'] },
  { name: 'types of the web UI', command: ['tsc', '-p', 'packages/web/tsconfig.json'] },
  { name: 'types of hook scripts', command: ['tsc', '-p', 'tsconfig.hook-scripts.json'] },
  { name: 'prose', command: ['./dev', 'prose'] },
  { name: 'commits', command: ['./dev', 'commits'] },
  { name: 'build', command: ['./dev', 'build'] },
  { name: 'generated files', command: ['./dev', 'docs', '--check'] },
  { name: 'tests', command: ['./dev', 'test', '--all'], after: ['services', 'programs'] },
  ...MILESTONES.map((milestone) => ({
    name: `coverage, ${milestone}`,
    command: ['./dev', 'coverage', '--milestone', milestone],
  })),
  { name: 'tests, standard', command: ['./dev', 'test-standard'] },
  { name: 'fuzzing, small', command: ['./dev', 'schemathesis', '--small'] },
  { name: 'image', command: ['./dev', 'image'] },
  // These steps mostly wait, and none has a short timeout, so they run in the background.
  {
    name: 'harness programs',
    command: ['./dev', 'harness-programs', 'claude-code', 'codex', 'skills-ref'],
    background: true,
  },
  {
    name: 'harness content',
    command: ['./dev', 'harness-programs', '--content', 'claude-code'],
    background: true,
  },
  // In the first histories, each of the first dependencies refuses connections once.
  { ...stressStep('outage', 4, '1'), background: true },
  { ...stressStep('webhook-loss', 300, '1'), background: true },
  stressStep('ownership', 150, '1'),
  stressStep('ownership', 50, 'commit'),
  stressStep('trust', 60, '1'),
  stressStep('trust', 20, 'commit'),
  stressStep('saves', 4, '1'),
  stressStep('saves', 4, 'commit'),
  stressStep('ssrf', 150, '1'),
  stressStep('web-hostile', 8, '1'),
  // The first history packs 0.4.0 and migrates under load.
  stressStep('upgrade', 3, '1'),
  // Its goals do not depend on the speed of the machine.
  { name: 'search quality', command: ['./dev', 'bench', 'search-quality', '--small'] },
  // These steps measure response times or fail if a database is slow, so no other step runs in
  // parallel.
  {
    ...stressStep('rolling', 2, '1', '--workers', '1'),
    after: ['stress, webhook-loss, seed 1'],
  },
  stressStep('connections', 150, '1', '--workers', '2'),
  { name: 'stress, small', command: ['./dev', 'stress', '--small', '--seed', '1'] },
];

process.exitCode = await runPipeline(steps);
