import type { ConfigFile, ConfigInput, Origin, Sourced, SyncFile } from './types.ts';

export const BUILT_IN: Origin = { kind: 'built-in', name: 'built-in default' };

export function first<T>(...candidates: (Sourced<T> | undefined)[]): Sourced<T> | undefined {
  return candidates.find((candidate) => candidate !== undefined);
}

export function flag<T>(value: T | undefined, name: string): Sourced<T> | undefined {
  return value === undefined ? undefined : { value, origin: { kind: 'flag', name } };
}

export function variable({ env }: ConfigInput, name: string): Sourced<string> | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : { value, origin: { kind: 'env', name } };
}

export function member<T, U>(
  source: Sourced<T> | undefined,
  pick: (value: T) => U | undefined,
): Sourced<U> | undefined {
  if (source === undefined) return undefined;
  const value = pick(source.value);
  return value === undefined ? undefined : { value, origin: source.origin };
}

type Defaults = NonNullable<SyncFile['defaults']>;

/** Returns the values of all files, lowest precedence first. */
export function fromAllDefaults<T>(
  files: readonly ConfigFile[],
  pick: (defaults: Defaults) => T | undefined,
): Sourced<T>[] {
  return files.flatMap(({ origin, content }) => {
    const value = content.defaults === undefined ? undefined : pick(content.defaults);
    return value === undefined ? [] : [{ value, origin }];
  });
}

export function fromDefaults<T>(
  files: readonly ConfigFile[],
  pick: (defaults: Defaults) => T | undefined,
): Sourced<T> | undefined {
  return fromAllDefaults(files, pick).at(-1);
}

export function fromUserFile<T>(
  files: readonly ConfigFile[],
  pick: (content: SyncFile) => T | undefined,
): Sourced<T> | undefined {
  const file = files.find(({ origin }) => origin.kind === 'user');
  const value = file === undefined ? undefined : pick(file.content);
  return file === undefined || value === undefined ? undefined : { value, origin: file.origin };
}
