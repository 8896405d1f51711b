/** Test steps print their counts in the last lines; other steps count as one. */
export interface Step {
  name: string;
  command: readonly string[];
  /** Starts after earlier background steps, and prints its output when it ends. */
  background?: true;
  after?: readonly string[];
}

/** With the seed `commit`, the histories depend on the commit. */
export function stressStep(name: string, n: number, seed: string, ...more: string[]): Step {
  return {
    name: `stress, ${name}, seed ${seed}`,
    command: ['./dev', 'stress', name, '--n', String(n), '--seed', seed, ...more],
  };
}

/** Takes minutes on a clean machine. */
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
