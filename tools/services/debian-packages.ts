import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installOnce } from './install-once.ts';
import { runProgram } from './run-program.ts';

/** Leaves the system unchanged. */
export interface DebianPackages {
  folder: string;
  program: (path: string) => string;
  env: { LD_LIBRARY_PATH: string };
}

/**
 * Includes all dependencies that the system lacks. Uses the current version in Debian, which keeps no
 * older ones.
 */
export async function installDebianPackages(
  key: string,
  packages: readonly string[],
): Promise<DebianPackages> {
  const folder = await installOnce({ key, build: (target) => unpack(packages, target) });
  const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
  const libraries = new Set(
    [...files]
      .filter((path) => /^usr\/lib\/.*\.so(?:\.\d+)*$/.test(path))
      .map((path) => join(folder, path, '..')),
  );
  return {
    folder,
    program: (path) => (files.has(path) ? join(folder, path) : `/${path}`),
    env: { LD_LIBRARY_PATH: [...libraries].join(':') },
  };
}

async function unpack(packages: readonly string[], folder: string): Promise<void> {
  // Separate lists and archives, so neither root nor the system's lock is needed.
  const state = resolve(folder, 'apt');
  for (const part of ['lists/partial', 'cache/archives/partial']) {
    mkdirSync(join(state, part), { recursive: true });
  }
  const settings = [
    `Dir::State::lists=${state}/lists`,
    `Dir::Cache=${state}/cache`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
  ].flatMap((setting) => ['-o', setting]);
  await runProgram('apt-get', [...settings, '-qq', 'update']);
  const how = ['-qq', '--yes', '--no-install-recommends', '--download-only'];
  await runProgram('apt-get', [...settings, ...how, 'install', ...packages]);
  const archives = join(state, 'cache/archives');
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb'))) {
    await runProgram('dpkg-deb', ['--extract', join(archives, name), folder]);
  }
  rmSync(state, { recursive: true });
}
