import { compare, measurementOfRatio, type Benchmark, type RunContext } from '../benchmark.ts';
import { measureSuccess } from '../measure-command.ts';
import { catalogCommand, plainEnvironment } from '../program.ts';

export const cliStart: Benchmark = {
  name: 'cli-start',
  summary:
    'Startup time of the built program for `--version` and `--help`, compared with an empty Node process.',
  n: 1,
  small_n: 1,
  run: (context) => {
    const version = measureFlag(context, '--version', 1.6);
    const help = measureFlag(context, '--help', 2);
    return {
      ...version,
      name: 'cli-start',
      goal: `--version ${version.goal}, --help ${help.goal}`,
      met: version.met && help.met,
      notes: ['baseline: node -e 0', 'the compile cache is warm'],
      parts: [version, help],
    };
  },
};

function measureFlag({ folder, repeat }: RunContext, flag: string, maxRatio: number) {
  const env = plainEnvironment(folder);
  const comparison = compare(
    { run: () => measureSuccess(catalogCommand(flag), { env, cwd: folder }) },
    { run: () => measureSuccess([process.execPath, '-e', '0'], { env, cwd: folder }) },
    { repeat },
  );
  return measurementOfRatio(`cli-start ${flag}`, 1, comparison, maxRatio);
}
