import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { describe, expect, test } from 'vitest';
import type { CommandDefinition } from './definition.ts';
import { definitions } from './table.ts';
import { parseCommandLine, toInput } from './parse.ts';

const deploy = {
  name: 'deploy',
  section: 'Install',
  summary: 'Deploy.',
  description: [],
  arguments: [
    { name: 'place', summary: 'Where.', required: true, values: ['here', 'there'] },
    { name: 'rest', summary: 'What.', required: false, repeated: true },
  ],
  flags: {
    mode: {
      type: 'text',
      values: ['fast', 'slow'],
      value_slips: { quick: 'fast' },
      summary: 'How.',
    },
    label: { type: 'list', placeholder: 'word', summary: 'Labels.', alias: 'tag' },
    file: { type: 'optional', placeholder: 'file', summary: 'From.' },
    force: { type: 'switch', short: 'f', summary: 'Anyway.' },
    soft: { type: 'switch', summary: 'Gently.' },
  },
  exclusive: [['force', 'soft']],
  examples: [],
} as const satisfies CommandDefinition;

const deployNow = {
  ...deploy,
  name: 'deploy now',
  arguments: [],
  flags: {},
  exclusive: [],
} as const satisfies CommandDefinition;

const boxLidOpen = { ...deployNow, name: 'box lid open' } as const;

const table: CommandDefinition[] = [
  deploy,
  deployNow,
  { ...deployNow, name: 'log show' },
  boxLidOpen,
];

function parse(...argv: string[]): unknown {
  const line = parseCommandLine(argv, table);
  return toInput(deploy, line, table);
}

function refusal(...argv: string[]): { message: string; next: string } {
  try {
    const line = parseCommandLine(argv, table);
    toInput(deploy, line, table);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    expect(error.code).toBe('config.usage');
    return { message: error.message, next: error.suggested_action };
  }
  throw new Error(`catalog ${argv.join(' ')} was accepted`);
}

const absent = { mode: undefined, label: undefined, file: undefined, force: false, soft: false };

describe('toInput with valid arguments', () => {
  test.each<[string[], object]>([
    [['deploy', 'here'], { flags: absent, arguments: { place: 'here', rest: [] } }],
    [
      ['--mode', 'fast', 'deploy', '-f', 'here'],
      { flags: { ...absent, mode: 'fast', force: true }, arguments: { place: 'here', rest: [] } },
    ],
    [
      ['deploy', '--label=a', 'there', '--tag', 'b', 'x', 'y'],
      {
        flags: { ...absent, label: ['a', 'b'] },
        arguments: { place: 'there', rest: ['x', 'y'] },
      },
    ],
    [
      ['deploy', '--file', 'here'],
      { flags: { ...absent, file: true }, arguments: { place: 'here', rest: [] } },
    ],
    [
      ['deploy', 'here', '--file', 'a.yaml', 'x'],
      { flags: { ...absent, file: 'a.yaml' }, arguments: { place: 'here', rest: ['x'] } },
    ],
    [
      ['deploy', 'here', '--file=a b'],
      { flags: { ...absent, file: 'a b' }, arguments: { place: 'here', rest: [] } },
    ],
    [
      ['deploy', 'here', '--', '--force', 'a.yaml'],
      { flags: absent, arguments: { place: 'here', rest: ['--force', 'a.yaml'] } },
    ],
    [
      ['deploy', 'here', '--label=-x'],
      { flags: { ...absent, label: ['-x'] }, arguments: { place: 'here', rest: [] } },
    ],
  ])('parses %j', (argv, expected) => {
    expect(parse(...argv)).toEqual(expected);
  });

  test('prefers a command of two words over a command of one word', () => {
    expect(parseCommandLine(['deploy', '--json', 'now'], table).definition).toBe(deployNow);
  });

  test('treats words after -- as arguments, not as part of the command name', () => {
    expect(parseCommandLine(['deploy', '--', 'now'], table)).toMatchObject({
      definition: deploy,
      words: ['now'],
    });
    expect(parseCommandLine(['--', 'deploy', 'now'], table).definition).toBe(deployNow);
  });

  describe('a flag with a value in one command and without a value in another', () => {
    const bare: CommandDefinition = {
      ...deployNow,
      name: 'look',
      flags: { mode: { type: 'switch', summary: 'M.' } },
    };
    const both: CommandDefinition[] = [deploy, bare];

    test.each([
      [['look', '--mode', 'x'], 'look', ['x'], true],
      [['look', 'x', '--mode'], 'look', ['x'], true],
      [['--mode', 'look', 'x'], 'look', ['x'], true],
      [['deploy', '--mode', 'fast', 'x'], 'deploy', ['x'], 'fast'],
      [['deploy', '--mode=fast', 'x'], 'deploy', ['x'], 'fast'],
      [['--mode', 'fast', 'deploy', 'x'], 'deploy', ['x'], 'fast'],
    ])('follows the definition of the named command: %j', (argv, name, words, mode) => {
      for (const definitions of [both, both.toReversed()]) {
        const line = parseCommandLine(argv, definitions);
        expect(line.definition?.name).toBe(name);
        expect(line).toMatchObject({ words, values: { mode } });
      }
    });
  });

  test('resolves commands of three words and groups of two words', () => {
    expect(parseCommandLine(['box', 'lid', '--json', 'open'], table)).toMatchObject({
      definition: boxLidOpen,
      words: [],
    });
    expect(parseCommandLine(['box', 'lid', 'x', '-h'], table)).toMatchObject({
      kind: 'help',
      definition: undefined,
      group: 'box lid',
    });
    expect(parseCommandLine(['box', 'x'], table)).toMatchObject({ group: 'box' });
  });

  test('accepts help and version flags at any position', () => {
    expect(parseCommandLine(['deploy', '-h'], table)).toMatchObject({
      kind: 'help',
      definition: deploy,
    });
    expect(parseCommandLine(['--help', 'log'], table)).toMatchObject({
      kind: 'help',
      group: 'log',
    });
    expect(parseCommandLine(['deploy', '--version'], table).kind).toBe('version');
  });
});

describe('usage errors', () => {
  test.each<[string[], string, string]>([
    [
      ['delpoy', 'here'],
      '`catalog delpoy here` is not a command.',
      'Did you mean `catalog deploy`?',
    ],
    [['delpoy', '--forse'], '`catalog delpoy` is not a command.', 'Did you mean `catalog deploy`?'],
    [['zzz'], '`catalog zzz` is not a command.', 'To list all commands, run `catalog help --all`.'],
    [['lgo'], '`catalog lgo` is not a command.', 'Did you mean `catalog log show`?'],
    [
      ['deploy', '--forse', 'here'],
      'Unknown flag --forse for `catalog deploy`.',
      'Did you mean `--force`?',
    ],
    [['--forse'], 'Unknown flag --forse for `catalog`.', 'Run `catalog --help`.'],
    [
      ['log', 'show', '--force'],
      'Unknown flag --force for `catalog log show`.',
      'Run `catalog log show --help`.',
    ],
    [['deploy', '-x'], 'Unknown flag -x for `catalog deploy`.', 'Run `catalog deploy --help`.'],
    [['deploy', '--mode'], '--mode needs a value.', 'Use `--mode <fast|slow>`.'],
    [['deploy', '--label='], '--label needs a value.', 'Use `--label <word>`.'],
    [['deploy', '--file='], '--file needs a value.', 'Use `--file <file>`.'],
    [
      ['deploy', '--label', '--force', 'here'],
      '--label needs a value, but --force looks like a flag.',
      'If --force is the value, use `--label=--force`.',
    ],
    [
      ['deploy', '--force=yes', 'here'],
      '--force does not take a value, but got yes.',
      'Use `--force` without a value.',
    ],
    [
      ['deploy', 'here', '--mode', 'fsat'],
      'Invalid value fsat for --mode. Accepted: fast, slow.',
      'Did you mean `fast`?',
    ],
    [
      ['deploy', 'here', '--mode', 'quick'],
      'Invalid value quick for --mode. Accepted: fast, slow.',
      'Did you mean `fast`?',
    ],
    [
      ['deploy', 'heer'],
      'Invalid value heer for <place>. Accepted: here, there.',
      'Did you mean `here`?',
    ],
    [
      ['deploy'],
      '`catalog deploy` needs <place>. Where. One of here, there.',
      'Run `catalog deploy --help`.',
    ],
    [
      ['deploy', 'here', '--force', '--soft'],
      '--force and --soft cannot be used together.',
      'Use only one of them. For details, run `catalog deploy --help`.',
    ],
  ])('rejects %j with the next step', (argv, message, next) => {
    expect(refusal(...argv)).toEqual({ message, next });
  });

  test('suggests a longer command if an extra word looks like a typo of its last word', () => {
    const sync = definitions.find(({ name }) => name === 'sync');
    if (sync === undefined) throw new Error('no sync');
    const line = parseCommandLine(['sync', 'enabel'], definitions);
    expect(() => toInput(sync, line, definitions)).toThrow(
      expect.objectContaining({ suggested_action: 'Did you mean `catalog sync enable`?' }),
    );
  });

  test('suggests joining a value to its optional flag', () => {
    const sync = definitions.find(({ name }) => name === 'sync');
    if (sync === undefined) throw new Error('no sync');
    const line = parseCommandLine(['sync', '--config', 'team'], definitions);
    expect(() => toInput(sync, line, definitions)).toThrow(
      expect.objectContaining({
        suggested_action: 'If team is the value of --config, use `--config=team`.',
      }),
    );
  });

  test('suggests the catalog command for a command name of another tool', () => {
    expect(() => parseCommandLine(['uninstall'], definitions)).toThrow(
      expect.objectContaining({ suggested_action: 'Did you mean `catalog sync --remove`?' }),
    );
  });
});
