import { runProgram } from '../marketplace/run-program.ts';
import { findProgram } from './find-program.ts';
import { findVersion } from './version-range.ts';

export interface HostProbes {
  version: (commands: readonly string[]) => Promise<readonly [number, number, number] | undefined>;
  /** Returns true if a command or a package with this name is installed. */
  hasPackage: (name: string) => Promise<boolean>;
}

const DATABASES: readonly [program: string, ...words: string[]][] = [
  ['dpkg-query', '--show', '--showformat=${db:Status-Abbrev}'],
  ['rpm', '--query', '--whatprovides'],
  ['apk', 'info', '--installed'],
  ['pacman', '--query'],
  ['brew', 'list', '--versions'],
];

/** Names that a program cannot parse as an option. */
const PACKAGE_NAME = /^[A-Za-z0-9][A-Za-z0-9+._:@-]*$/;
const TIMEOUT_MS = 10_000;

export function openHostProbes(
  env: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): HostProbes {
  const { PATH } = env;

  async function runCommand(words: readonly [string, ...string[]]): Promise<string | undefined> {
    const program = { words, directory: '/', env, timeout_ms: TIMEOUT_MS };
    const { status, output } = await runProgram(program, signal);
    return status === 0 ? output : undefined;
  }

  async function findFirst(commands: readonly string[]): ReturnType<HostProbes['version']> {
    for (const command of commands) {
      const program = findProgram(command, PATH);
      const printed = program === undefined ? undefined : await runCommand([program, '--version']);
      const version = printed === undefined ? undefined : findVersion(printed);
      if (version !== undefined) return version;
    }
    return undefined;
  }

  async function findPackage(name: string): Promise<boolean> {
    if (findProgram(name, PATH) !== undefined) return true;
    if (!PACKAGE_NAME.test(name)) return false;
    for (const [command, ...words] of DATABASES) {
      const program = findProgram(command, PATH);
      if (program === undefined) continue;
      const answer = await runCommand([program, ...words, name]);
      // dpkg also lists removed packages whose configuration files remain.
      if (answer !== undefined) return command !== 'dpkg-query' || answer.startsWith('ii');
    }
    return false;
  }

  return { version: memoize(findFirst), hasPackage: memoize(findPackage) };
}

function memoize<K, T>(find: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const found = new Map<string, Promise<T>>();
  return (key) => {
    const name = JSON.stringify(key);
    const known = found.get(name) ?? find(key);
    found.set(name, known);
    return known;
  };
}
