import { describe, expect, test } from 'vitest';
import { GLOBAL_FLAGS, type FlagDefinition } from './definition.ts';
import { parseCommandLine, toInput } from './parse.ts';
import { definitions } from './table.ts';

const allFlags: [command: string, name: string, flag: FlagDefinition][] = definitions.flatMap(
  ({ name: command, flags }) =>
    Object.entries<FlagDefinition>({ ...flags, ...GLOBAL_FLAGS }).map(
      ([name, flag]): [string, string, FlagDefinition] => [command, name, flag],
    ),
);

describe('command table', () => {
  /** Flags that have a value in one command and none in another. */
  const DECIDED_BY_COMMAND = ['explain'];

  test('defines each flag the same way for all commands, because flags can precede the command', () => {
    for (const read of [
      (flag: FlagDefinition) => flag.type,
      (flag: FlagDefinition) => flag.alias,
      (flag: FlagDefinition) => flag.short,
    ]) {
      const meanings = new Map<string, unknown>();
      for (const [command, name, flag] of allFlags) {
        if (DECIDED_BY_COMMAND.includes(name)) continue;
        if (!meanings.has(name)) meanings.set(name, read(flag));
        expect(read(flag), `--${name} of ${command}`).toBe(meanings.get(name));
      }
    }
  });

  test('gives no two flags the same spelling', () => {
    const owners = new Map<string, string>();
    for (const [command, name, { alias, short }] of allFlags) {
      for (const spelling of [name, alias, short]) {
        if (spelling === undefined) continue;
        const owner = owners.get(spelling) ?? name;
        expect(owner, `${spelling} of ${command}`).toBe(name);
        owners.set(spelling, name);
      }
    }
  });

  test('has a placeholder or values for every flag that takes a value', () => {
    for (const [command, name, flag] of allFlags) {
      const named = flag.placeholder !== undefined || flag.values !== undefined;
      expect(named, `--${name} of ${command}`).toBe(flag.type !== 'switch');
    }
  });

  test.each(
    definitions.flatMap((definition) =>
      definition.examples.map(({ command }) => [definition.name, command] as const),
    ),
  )('accepts the example of %s: %s', (name, example) => {
    const words = /catalog (?<words>[^>)]*)/.exec(example)?.groups?.['words'] ?? '';
    const argv = [...words.matchAll(/'(?<quoted>[^']*)'|(?<plain>\S+)/g)].map(
      ({ groups }) => groups?.['quoted'] ?? groups?.['plain'] ?? '',
    );
    const line = parseCommandLine(argv, definitions);
    expect(line.definition?.name).toBe(name);
    if (line.definition !== undefined) toInput(line.definition, line, definitions);
  });

  test('has at least one example for every command', () => {
    expect(definitions.filter(({ examples }) => examples.length === 0)).toEqual([]);
  });
});
