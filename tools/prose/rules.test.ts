import { beforeAll, describe, expect, test } from 'vitest';
import { createProseLinter, RULE_IDS, type ProseLinter } from './linter.ts';

let linter: ProseLinter;
beforeAll(async () => {
  linter = await createProseLinter();
});

interface Cases {
  /** A guide page by default. */
  path?: string;
  wrap?: (sentence: string) => string;
  fails: readonly string[];
  passes: readonly string[];
}

const command = (summary: string): string =>
  `export const d = { name: 'x', section: 'Start', summary: ${JSON.stringify(summary)} };`;

const cases: Readonly<Record<string, readonly Cases[]>> = {
  vocabulary: [
    {
      fails: [
        'The server answers with 404.',
        'The request is answered from memory.',
        'A registry may answer later.',
        'The lock says which version was written.',
        'The user is told why.',
        'While the database is away, reads continue.',
        'The database is there again.',
        'Build the index anew.',
        'A file beside the manifest.',
        'The event is kept for ever.',
        'The token is refreshed by itself.',
        'The process goes on.',
        'Nobody can read it.',
        'It is sent to whoever listens.',
        'The key stands under `registry`.',
        'A key may stand once.',
        'The body is no valid JSON.',
        'The token is none of ours.',
        'The value is undefined where the file is missing.',
        'At most so many results.',
        'Mend the manifest.',
        'Requests under way are finished.',
        'Callers are told apart by their token.',
        'A length of time such as `90s`.',
        'The value is a text of 20 characters.',
        'An unknown key is refused.',
        'The artifact was not taken.',
        'Give the address of a registry.',
        'The house format.',
        "The person's file is kept.",
        'It looks at every file.',
        'The caller has to sign in.',
        'It runs in a process of its own.',
        'Say which artifact wrote a file.',
      ],
      passes: [
        'The server responds with 404.',
        'Compare the answers of two providers.',
        'You need to answer the prompt first.',
        'There is no default.',
        'A layer is no longer polled.',
        'If there is none, the command fails.',
        'You do not have to restart the server.',
        'The server refuses to start.',
        'Bind to an IP address.',
        'Open it in a text editor.',
        'The connection was refused.',
        'A text-processing program runs.',
        'No more than 40 results are returned.',
        'A stand-in server can stand in for the real one.',
        'The command takes two arguments.',
        'The old message was `it is away, nobody answers`.',
      ],
    },
    {
      path: 'packages/cli/src/commands/x.ts',
      wrap: (sentence) => `log.warn(${JSON.stringify(sentence)});`,
      fails: ['the database is away', "this is no \\'valid\\' token", 'requests under way'],
      passes: ['away', 'the database is unavailable', 'anew/beside/nobody'],
    },
    {
      path: 'packages/cli/src/commands/x.ts',
      wrap: (sentence) => sentence,
      fails: [
        "print(`${name} is ` + 'away');",
        "const a = { title: 'A manifest ' + 'stands alone' };",
        'fail(`"${id}" stands twice`);',
      ],
      passes: [
        "import x from './nobody answers.ts';",
        "type A = 'nobody answers';",
        'sql`SELECT nobody FROM answers`;',
        '// nobody answers',
        "query('SELECT answers FROM nobody WHERE stands');",
        "const a = { 'nobody answers': 1 };",
        'print(`run \\`catalog answers nobody\\` again`);',
      ],
    },
  ],
  'american-spelling': [
    {
      fails: [
        'The catalogue of errors.',
        'The behaviour changes.',
        'The request was cancelled.',
        'It serialises writes.',
        'An authorisation header.',
        'A colourful page.',
      ],
      passes: [
        'The catalog of errors.',
        'An exercise that is otherwise precise.',
        'A specialist in organisms.',
        'The `catalogue` function.',
      ],
    },
  ],
  'sentence-length': [
    {
      fails: [`${'word '.repeat(41).trim()}.`],
      passes: [
        `${'word '.repeat(40).trim()}.`,
        `${'Word '.repeat(30).trim()}. ${'Word '.repeat(30).trim()}.`,
        `One of ${'`a`, '.repeat(50)}or \`b\`.`,
        `Returns object (${'`a` string; '.repeat(30)}\`b\` string).`,
      ],
    },
  ],
  'there-is': [
    {
      fails: [
        'There are two settings that control retention.',
        'There is a flag which disables it.',
      ],
      passes: [
        'Two settings control retention.',
        'There is no setting that controls it.',
        'There is a harness of that name.',
        'There is one process, one file, and a log that grows.',
      ],
    },
  ],
  negations: [
    {
      fails: [
        'No file is not checked.',
        'A check that cannot fail proves nothing.',
        'It does not read, does not write and never deletes.',
      ],
      passes: [
        'catalog never changes a file that it did not create.',
        'The file is not read, and the command does not fail.',
        'Sync needs no network. catalog collects no usage data.',
        'A layer is no longer polled without a token.',
        'It cannot start without permission.',
        'It needs no key, no network, and no download.',
        'Updates with no script need no approval.',
        'Artifacts without scripts never need approval.',
        'The file has neither a name nor a version.',
      ],
    },
  ],
  riddle: [
    {
      fails: [
        'What cannot be understood stops the start.',
        'Read on. What is already there is kept.',
        'Who sees what.',
      ],
      passes: [
        'The server refuses to start if a setting is invalid.',
        'What does a lock contain?',
        '# What catalog may touch',
        '[What catalog may touch](x.md) lists the rules.',
        '| What it does | Command |\n|---|---|\n| a | b |',
      ],
    },
    {
      path: 'packages/cli/src/x.ts',
      wrap: (sentence) => `print('${sentence}');`,
      fails: ['What is already there is kept.'],
      passes: ['What the child gets'],
    },
  ],
  'command-summary': [
    {
      path: 'packages/cli/src/commands/x/definition.ts',
      wrap: command,
      fails: [
        'Lists all artifacts of the registry.',
        'The artifacts of the registry.',
        'Say which artifact wrote a file.',
        'Listing of artifacts.',
        'List artifacts with a newer version',
        'List the artifacts of the registry with versions newer than the installed ones.',
      ],
      passes: [
        'List artifacts with a newer version available.',
        'Process the queue.',
        'Embed all artifacts again.',
      ],
    },
    {
      path: 'packages/cli/src/commands/x/definition.ts',
      wrap: (sentence) => `export const flag = { type: 'text', summary: '${sentence}' };`,
      fails: [],
      passes: ['The harness to deliver to'],
    },
  ],
  'harness-names': [
    {
      fails: ['Use harness-a.', 'Use `harness-b`.', '```\ncatalog sync --harness harness-c\n```'],
      passes: ['Use claude-code.', 'Use harness-x.'],
    },
    { path: 'docs/reference/harnesses.md', fails: [], passes: ['The id is harness-a.'] },
    { path: 'docs/reference/harness-keys.md', fails: [], passes: ['The id is harness-a.'] },
    {
      path: 'packages/cli/src/x.ts',
      wrap: (sentence) => `const example = '${sentence}';`,
      fails: ['catalog sync --harness harness-a'],
      passes: ['harness-a'],
    },
  ],
  'guide-opening': [
    {
      path: 'docs/guide/sync.md',
      wrap: (sentence) => `# Sync\n\n${sentence}\n\nMore text.\n`,
      fails: ['Sync compares three things.', `You ${'word '.repeat(40)}.`],
      passes: ['After this page you can deliver artifacts.', 'Keep your files current.'],
    },
    {
      path: 'docs/guide/README.md',
      wrap: (sentence) => `# Guide\n\n${sentence}\n`,
      fails: [],
      passes: ['All pages in reading order.'],
    },
  ],
  'allow-reason': [
    {
      wrap: (comment) => `${comment}\n\nText.\n`,
      fails: ['<!-- textlint-disable vocabulary -->', '<!-- textlint-disable -->'],
      passes: [
        '<!-- textlint-disable vocabulary: quotes the old text -->',
        '<!-- textlint-disable: a table of bad examples -->',
      ],
    },
  ],
};

test('every rule has test cases', () => {
  expect(Object.keys(cases).sort()).toEqual([...RULE_IDS].sort());
});

for (const [rule, groups] of Object.entries(cases)) {
  describe(rule, () => {
    for (const { path = 'docs/operations/x.md', wrap = same, fails, passes } of groups) {
      test.each(fails)('a rule reports "%s"', async (sentence) => {
        expect(await rulesOf(path, wrap(sentence))).toContain(rule);
      });
      test.each(passes)('no rule reports "%s"', async (sentence) => {
        expect(await rulesOf(path, wrap(sentence))).not.toContain(rule);
      });
    }
  });
}

function same(text: string): string {
  return text;
}

async function rulesOf(path: string, text: string): Promise<string[]> {
  return (await linter.lint(path, text)).map((finding) => finding.rule);
}

describe('position of a finding', () => {
  test('is the line and column of the words on a page', async () => {
    const text = '# Title\n\nRead [the `code` page](x.md) first.\nThe database **is away** now.\n';
    expect(await linter.lint('docs/x.md', text)).toEqual([
      {
        rule: 'vocabulary',
        path: 'docs/x.md',
        line: 4,
        column: 16,
        message: '"is away": write is unavailable.',
        words: 'The database **is away** now.',
      },
    ]);
  });

  test('is the line of the string in a source, also inside a concatenation', async () => {
    const text = "log.info(\n  `${name} can be read, ` +\n    'but nobody is there',\n);\n";
    const [finding] = await linter.lint('packages/cli/src/x.ts', text);
    expect(finding).toMatchObject({ rule: 'vocabulary', line: 3, column: 10 });
  });
});

describe('allow comments', () => {
  test('cover the listed rules up to the next enable comment', async () => {
    const text = [
      '<!-- textlint-disable vocabulary: the words of the old message -->',
      'Nobody answers in the catalogue.',
      '<!-- textlint-enable -->',
      'Nobody knows.',
    ].join('\n\n');
    const found = await linter.lint('docs/x.md', text);
    expect(found.map(({ rule, line }) => `${line} ${rule}`)).toEqual([
      '3 american-spelling',
      '7 vocabulary',
    ]);
  });

  test('cover every rule if none is listed', async () => {
    const text = '<!-- textlint-disable: old text -->\n\nNobody answers in the catalogue.\n';
    expect(await rulesOf('docs/x.md', text)).toEqual([]);
  });

  test('have no effect without a reason', async () => {
    const text = '<!-- textlint-disable vocabulary -->\n\nNobody knows.\n';
    expect(await rulesOf('docs/x.md', text)).toEqual(['allow-reason', 'vocabulary']);
  });

  test('cover one line of a source', async () => {
    const line = "fail('nobody is there');";
    const text = `// textlint-disable-next-line vocabulary: a protocol constant\n${line}\n${line}\n`;
    const found = await linter.lint('packages/cli/src/x.ts', text);
    expect(found.map((finding) => finding.line)).toEqual([3]);
  });
});
