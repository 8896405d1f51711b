import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installOnce } from './install-once.ts';
import { runProgram } from './run-program.ts';

/** Packages of Debian in a folder of their own; nothing of the system is changed. */
export interface DebianPackages {
  folder: string;
  /** The path of a program, relative to the root, whether it was unpacked or the system has it. */
  program: (path: string) => string;
  /** What the programs need in their environment to find the libraries that came with them. */
  env: { LD_LIBRARY_PATH: string };
}

/**
 * Downloads packages with everything the system lacks of what they need, and unpacks it all into one
 * folder. The version is the one Debian serves now: it keeps no older ones.
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
  // Lists and archives of its own: neither root nor the system's lock is needed.
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
