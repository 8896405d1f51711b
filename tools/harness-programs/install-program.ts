import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from '../services/install-once.ts';
import { runProgram } from '../services/run-program.ts';
import type { HarnessProgram, InstalledProgram, PinnedProgram } from './program.ts';

const PINNED = join(import.meta.dirname, 'pinned');

/** Verifies every package against its hash in `pinned/`. */
export async function installProgram(program: HarnessProgram): Promise<InstalledProgram> {
  const { version, installs } = program;
  if (installs === undefined) return { words: [], env: {} };
  const pinned = join(PINNED, installs.pinned);
  const { list, build, started } = installers[installs.from];
  const hash = createHash('sha256').update(readFileSync(join(pinned, list)));
  const folder = await installOnce({
    key: `${installs.pinned}-${version}-${hash.digest('hex').slice(0, 8)}`,
    build: (staging) => build(pinned, staging),
  });
  return started(folder, installs.command);
}

interface Installer {
  list: string;
  build: (pinned: string, folder: string) => Promise<void>;
  started: (folder: string, command: string) => Promise<InstalledProgram>;
}

const installers: Readonly<Record<PinnedProgram['from'], Installer>> = {
  npm: {
    list: 'package-lock.json',
    build: installFromNpm,
    started: async (folder, command) => ({ words: [join(folder, command)], env: {} }),
  },
  pypi: {
    list: 'requirements.txt',
    build: installFromPypi,
    started: async (folder, command) => ({
      words: [await pythonPath(), join(folder, command)],
      env: { PYTHONPATH: folder },
    }),
  },
};

/** Runs no package scripts; the programs do not need them. */
async function installFromNpm(pinned: string, folder: string): Promise<void> {
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(pinned, file), join(folder, file));
  }
  const how = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await runProgram('npm', ['ci', ...how], { cwd: folder });
}

async function installFromPypi(pinned: string, folder: string): Promise<void> {
  const list = join(pinned, 'requirements.txt');
  const how = ['--quiet', '--no-deps', '--require-hashes', '--only-binary', ':all:'];
  await runProgram('python3', ['-m', 'pip', 'install', ...how, '--target', folder, '-r', list]);
}

/** A shim does not find the interpreter without its environment. */
async function pythonPath(): Promise<string> {
  return (await runProgram('python3', ['-c', 'import sys; print(sys.executable)'])).trim();
}
