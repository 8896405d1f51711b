import { runProgram } from '../marketplace/run-program.ts';
import { findProgram } from './find-program.ts';
import { findVersion } from './version-range.ts';

/** What this machine has, found out once however often it is asked. */
export interface HostProbes {
  /** The version of the first of some commands that is there. */
  version: (commands: readonly string[]) => Promise<readonly [number, number, number] | undefined>;
  /** Whether a system package is there: as a command, or in the package database. */
  hasPackage: (name: string) => Promise<boolean>;
}

/** How each package database is asked for one package; the first that is on this machine answers. */
const DATABASES: readonly [program: string, ...words: string[]][] = [
  ['dpkg-query', '--show', '--showformat=${db:Status-Abbrev}'],
  ['rpm', '--query', '--whatprovides'],
  ['apk', 'info', '--installed'],
  ['pacman', '--query'],
  ['brew', 'list', '--versions'],
];

/** What package databases take for a name; above all no option. */
const PACKAGE_NAME = /^[A-Za-z0-9][A-Za-z0-9+._:@-]*$/;
const TIMEOUT_MS = 10_000;

/** Asks the machine this program runs on (SPEC-63). */
export function openHostProbes(
  env: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): HostProbes {
  const { PATH } = env;

  async function ask(words: readonly [string, ...string[]]): Promise<string | undefined> {
    const program = { words, directory: '/', env, timeout_ms: TIMEOUT_MS };
    const { status, output } = await runProgram(program, signal);
    return status === 0 ? output : undefined;
  }

  async function findFirst(commands: readonly string[]): ReturnType<HostProbes['version']> {
    for (const command of commands) {
      const program = findProgram(command, PATH);
      const printed = program === undefined ? undefined : await ask([program, '--version']);
      const version = printed === undefined ? undefined : findVersion(printed);
      if (version !== undefined) return version;
    }
    return undefined;
  }

  async function look(name: string): Promise<boolean> {
    if (findProgram(name, PATH) !== undefined) return true;
    if (!PACKAGE_NAME.test(name)) return false;
    for (const [command, ...words] of DATABASES) {
      const program = findProgram(command, PATH);
      if (program === undefined) continue;
      const answer = await ask([program, ...words, name]);
      // A removed package that left its settings behind is known, and not installed.
      if (answer !== undefined) return command !== 'dpkg-query' || answer.startsWith('ii');
    }
    return false;
  }

  return { version: onceFor(findFirst), hasPackage: onceFor(look) };
}

function onceFor<K, T>(find: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const found = new Map<string, Promise<T>>();
  return (key) => {
    const name = JSON.stringify(key);
    const known = found.get(name) ?? find(key);
    found.set(name, known);
    return known;
  };
}
