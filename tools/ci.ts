import { runPipeline } from './pipeline/run-pipeline.ts';
import { installSteps, stressStep, type Lane, type Step } from './pipeline/step.ts';

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
  ...installSteps('in memory'),
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'lint', command: ['oxlint'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.node.json'] },
  { name: 'types of the web UI', command: ['tsc', '-p', 'packages/web/tsconfig.json'] },
  { name: 'types of hook scripts', command: ['tsc', '-p', 'tsconfig.hook-scripts.json'] },
  { name: 'prose', command: ['./dev', 'prose'] },
  { name: 'commits', command: ['./dev', 'commits'] },
  { name: 'build', command: ['./dev', 'build'] },
  { name: 'generated files', command: ['./dev', 'docs', '--check'] },
  // Next to the tests. These steps mostly wait, and none has a short timeout.
  ...inLane('waiting', [
    {
      name: 'harness programs',
      command: ['./dev', 'harness-programs', 'claude-code', 'codex', 'skills-ref'],
      after: ['services', 'programs'],
    },
    {
      name: 'harness content',
      command: ['./dev', 'harness-programs', '--content', 'claude-code'],
    },
    // In the first histories, each of the first dependencies refuses connections once.
    stressStep('outage', 4, '1'),
    stressStep('webhook-loss', 300, '1'),
  ]),
  { name: 'tests', command: ['./dev', 'test', '--all'], after: ['services', 'programs'] },
  ...MILESTONES.map((milestone) => ({
    name: `coverage, ${milestone}`,
    command: ['./dev', 'coverage', '--milestone', milestone],
  })),
  { name: 'image', command: ['./dev', 'image'] },
  // Next to the tests of the standard deployment, which wait for its servers.
  ...inLane('computing', [
    stressStep('ownership', 150, '1'),
    stressStep('ownership', 50, 'commit'),
    stressStep('trust', 60, '1'),
    stressStep('trust', 20, 'commit'),
    stressStep('saves', 4, '1'),
    stressStep('saves', 4, 'commit'),
    stressStep('ssrf', 150, '1'),
    stressStep('web-hostile', 8, '1'),
    // The first of these trials builds release 0.4.0 and migrates its database under load.
    stressStep('upgrade', 3, '1'),
    // Its goals do not depend on the speed of the machine.
    { name: 'search quality', command: ['./dev', 'bench', 'search-quality', '--small'] },
  ]),
  { name: 'tests, standard', command: ['./dev', 'test-standard'] },
  { name: 'fuzzing, small', command: ['./dev', 'schemathesis', '--small'] },
  // These steps measure response times or fail if a database is slow.
  { ...stressStep('rolling', 2, '1', '--workers', '1'), alone: true },
  { ...stressStep('connections', 150, '1', '--workers', '2'), alone: true },
  { name: 'stress, small', command: ['./dev', 'stress', '--small', '--seed', '1'], alone: true },
];

function inLane(lane: Lane, background: readonly Step[]): Step[] {
  return background.map((step) => ({ ...step, lane }));
}

process.exitCode = await runPipeline(steps);
