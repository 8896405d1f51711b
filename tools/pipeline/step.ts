/** Test steps print their counts in the last lines; other steps count as one. */
export interface Step {
  name: string;
  command: readonly string[];
  /** Runs next to other steps, after earlier steps of its lane. The output is printed at the end. */
  lane?: Lane;
  /** Background steps that must have ended. */
  after?: readonly string[];
  /** Runs when every earlier background step has ended, because it measures response times. */
  alone?: true;
}

export type Lane = 'install' | 'waiting' | 'computing';

/** With the seed `commit`, the histories depend on the commit. */
export function stressStep(name: string, n: number, seed: string, ...more: string[]): Step {
  return {
    name: `stress, ${name}, seed ${seed}`,
    command: ['./dev', 'stress', name, '--n', String(n), '--seed', seed, ...more],
  };
}

/** Takes minutes on a clean machine. Benchmarks need the data of the servers on the disk. */
export function installSteps(data: 'in memory' | 'on disk'): readonly Step[] {
  const up = ['./dev', 'services', 'up', ...(data === 'in memory' ? ['--memory'] : [])];
  const programs = ['helm', 'dex', 'chromium', 'keyring', 'tmux', 'nginx', 'caddy'];
  return [
    { name: 'services', command: up, lane: 'install' },
    {
      name: 'programs',
      command: ['./dev', 'services', 'install', ...programs],
      lane: 'install',
    },
  ];
}
