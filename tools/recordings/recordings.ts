import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { drawTerminal } from './terminal-svg.ts';

export interface Recording {
  /** Relative to the repository. */
  path: string;
  title: string;
  commands: readonly string[];
}

export const recordings: readonly Recording[] = [
  {
    path: 'docs/images/sync.svg',
    title: 'catalog init, catalog artifact new and catalog sync in a terminal',
    commands: [
      'catalog init --registry ./artifacts --harness claude-code,cursor',
      'catalog artifact new skill ops/release-check',
      'catalog sync',
      'catalog status',
      'catalog sync --remove',
    ],
  },
];

export function drawRecording({ title, commands }: Recording, bin: string): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'catalog-recording-')));
  try {
    const project = join(home, 'project');
    mkdirSync(project);
    const typed = commands.map((command) => ({
      command,
      output: run(command, { home, project, bin }),
    }));
    return drawTerminal(title, typed);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function run(
  command: string,
  { home, project, bin }: { home: string; project: string; bin: string },
): string[] {
  const { status, stdout, error } = spawnSync('sh', ['-c', `exec 2>&1; ${command}`], {
    cwd: project,
    encoding: 'utf8',
    env: {
      HOME: home,
      PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
      FORCE_COLOR: '1',
    },
  });
  if (status !== 0)
    throw new Error(`${command}: exit ${String(status)}\n${error?.message ?? stdout}`);
  return stdout.trimEnd().split('\n');
}

/** Durations differ in every run. */
export function withoutDurations(svg: string): string {
  return svg.replaceAll(/\(\d+(?:\.\d)? m?s\)/g, '(N ms)').replaceAll(/textLength="[\d.]+"/g, '');
}
