/** A step of a pipeline. One that runs tests prints their number in its last lines; any other counts as one. */
export interface Step {
  name: string;
  command: readonly string[];
  /** Runs next to other steps, after the background steps before it. Its output follows when it ended. */
  background?: true;
  /** Names of background steps that must have ended. */
  after?: readonly string[];
}

/** A stress test with fixed histories, or with histories that depend on the commit. */
export function stressStep(name: string, n: number, seed: string, ...more: string[]): Step {
  return {
    name: `stress, ${name}, seed ${seed}`,
    command: ['./dev', 'stress', name, '--n', String(n), '--seed', seed, ...more],
  };
}

/** The programs and servers of the tests; building them takes minutes on a clean machine. */
export const installSteps: readonly Step[] = [
  { name: 'services', command: ['./dev', 'services', 'up'], background: true },
  {
    name: 'programs',
    command: [
      './dev',
      'services',
      'install',
      'helm',
      'dex',
      'chromium',
      'keyring',
      'tmux',
      'nginx',
      'caddy',
    ],
    background: true,
  },
];
