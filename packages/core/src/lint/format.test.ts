import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from './diagnostic.ts';
import { formatGithub } from './format-github.ts';
import { formatHuman } from './format-human.ts';
import { formatSarif } from './format-sarif.ts';
import { toLintReport } from './lint-report.ts';
import { lintRules } from './rules.ts';

function finding(over: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: 'lint.thin_description',
    severity: 'warning',
    message: 'The description is too short to choose by.',
    fix: 'Say more.',
    artifact_id: 'ops/check',
    layer: 'base',
    file: 'ops/check/ARTIFACT.md',
    line: 4,
    column: 1,
    excerpt: 'description: Short.',
    ...over,
  };
}

const BROKEN_LINK = finding({
  code: 'lint.prose_reference',
  severity: 'error',
  message: 'The link is broken.',
  fix: 'Did you mean `a.md`?',
  line: 12,
  column: 5,
  excerpt: 'See [it](b.md).',
});

describe('formatHuman', () => {
  const format = (...found: Diagnostic[]): string =>
    formatHuman(found, { artifacts: 12, color: false });

  test('prints findings by file with line, reason and fix', () => {
    const other = finding({ file: 'ops/other/ARTIFACT.md', artifact_id: 'ops/other' });
    const again = finding({ line: 2, column: 3, excerpt: '\t\tx' });
    expect(format(other, BROKEN_LINK, finding(), again)).toBe(`\
ops/check/ARTIFACT.md:2:3  warning  lint.thin_description  The description is too short to choose by.
    2 |   x
      |   ^
    why: ${lintRules['lint.thin_description'].why}
    fix: Say more.
ops/check/ARTIFACT.md:4:1  warning  lint.thin_description  The description is too short to choose by.
    4 | description: Short.
      | ^
    fix: Say more.
ops/check/ARTIFACT.md:12:5  error  lint.prose_reference  The link is broken.
    12 | See [it](b.md).
       |     ^
    why: ${lintRules['lint.prose_reference'].why}
    fix: Did you mean \`a.md\`?

ops/other/ARTIFACT.md:4:1  warning  lint.thin_description  The description is too short to choose by.
    4 | description: Short.
      | ^
    why: ${lintRules['lint.thin_description'].why}
    fix: Say more.

1 error, 3 warnings in 12 artifacts
`);
  });

  test.each<[found: Diagnostic[], artifacts: number, line: string]>([
    [[], 12, 'No problems in 12 artifacts'],
    [[], 1, 'No problems in 1 artifact'],
    [[finding()], 1, '0 errors, 1 warning in 1 artifact'],
    [[BROKEN_LINK, BROKEN_LINK], 2, '2 errors, 0 warnings in 2 artifacts'],
  ])('prints the totals of case %#', (found, artifacts, line) => {
    const lines = formatHuman(found, { artifacts, color: false }).trimEnd().split('\n');
    expect(lines.at(-1)).toBe(line);
  });

  test.each([
    ['wide letters', '発行 [a](b)', 4, '             ^'],
    ['marks without width', 'e\u0301 [a](b)', 4, '          ^'],
    [
      'a line cut on both sides',
      `…${'x'.repeat(60)}Y${'z'.repeat(59)}…`,
      400,
      `${' '.repeat(69)}^`,
    ],
  ])('places the caret after %s', (_, excerpt, column, caret) => {
    const lines = format(finding({ excerpt, column, line: 4 })).split('\n');
    expect(lines[2]?.replace('|', ' ')).toBe(caret);
  });

  test('prints no caret for a line that is cut at its start only', () => {
    expect(format(finding({ excerpt: '…xyz', column: 400 })).split('\n')[2]).toMatch(/^ {4}why: /);
  });

  test('prints a finding of a type provider without an excerpt', () => {
    const { excerpt: _, ...bare } = finding({ code: 'dataset.rows' });
    expect(format(bare).split('\n').slice(0, 2)).toEqual([
      'ops/check/ARTIFACT.md:4:1  warning  dataset.rows  The description is too short to choose by.',
      '    fix: Say more.',
    ]);
  });

  test('escapes control characters in authored text', () => {
    const evil = '\u001B]0;x\u0007\n';
    const printed = format(
      finding({ file: `a${evil}`, message: evil, fix: evil, excerpt: evil, column: 1 }),
    );
    expect(printed.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(printed.split('\n')).toHaveLength(8);
  });

  test('uses color only if requested', () => {
    const printed = formatHuman([BROKEN_LINK], { artifacts: 1, color: true });
    expect(printed).toContain('\u001B[31;1merror\u001B[0m');
    expect(stripVTControlCharacters(printed)).toBe(
      formatHuman([BROKEN_LINK], { artifacts: 1, color: false }),
    );
  });

  test('prints the path that the option returns', () => {
    const options = { artifacts: 1, color: false, path: ({ file }: Diagnostic) => `reg/${file}` };
    expect(formatHuman([finding()], options)).toMatch(/^reg\/ops\/check\/ARTIFACT\.md:4:1 /);
  });
});

test('toLintReport returns findings and a summary', () => {
  expect(toLintReport([BROKEN_LINK, finding()], { artifacts: 2 })).toEqual({
    diagnostics: [BROKEN_LINK, finding()],
    summary: { errors: 1, warnings: 1, artifacts: 2 },
  });
  const path = ({ layer, file }: Diagnostic): string => `${layer}/${file}`;
  expect(toLintReport([finding()], { artifacts: 1, path }).diagnostics).toEqual([
    finding({ file: 'base/ops/check/ARTIFACT.md' }),
  ]);
});

describe('formatGithub', () => {
  test('prints one command per finding', () => {
    expect(formatGithub([BROKEN_LINK, finding()], { artifacts: 2 })).toBe(
      '::error file=ops/check/ARTIFACT.md,line=12,col=5,title=lint.prose_reference::The link is broken. Did you mean `a.md`?\n' +
        '::warning file=ops/check/ARTIFACT.md,line=4,col=1,title=lint.thin_description::The description is too short to choose by. Say more.\n',
    );
  });

  test('escapes text that would end its command', () => {
    const hostile = finding({ file: 'a,b:c%\n', message: '100%: a,b\r\n::error::x' });
    expect(formatGithub([hostile], { artifacts: 1 })).toBe(
      '::warning file=a%2Cb%3Ac%25%0A,line=4,col=1,title=lint.thin_description::100%25: a,b%0D%0A::error::x Say more.\n',
    );
  });
});

describe('formatSarif', () => {
  function parse(found: Diagnostic[]): { version: string; runs: [Run] } {
    return JSON.parse(formatSarif(found, { artifacts: 1, version: '0.4.0' }));
  }

  interface Run {
    tool: { driver: { name: string; version: string; rules: Record<string, unknown>[] } };
    columnKind: string;
    results: { ruleId: string; ruleIndex: number; locations: unknown[] }[];
  }

  test('returns a log of version 2.1.0 that describes every rule', () => {
    const { version, runs } = parse([]);
    expect(version).toBe('2.1.0');
    const [{ tool, columnKind, results }] = runs;
    expect({ columnKind, results }).toEqual({ columnKind: 'utf16CodeUnits', results: [] });
    expect(tool.driver).toMatchObject({ name: 'catalog', version: '0.4.0' });
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(Object.keys(lintRules));
    expect(tool.driver.rules.find(({ id }) => id === 'lint.hidden_text')).toEqual({
      id: 'lint.hidden_text',
      shortDescription: { text: lintRules['lint.hidden_text'].title },
      fullDescription: { text: lintRules['lint.hidden_text'].why },
      help: { text: lintRules['lint.hidden_text'].fix },
      defaultConfiguration: { level: 'warning' },
    });
  });

  test('links a result to its rule and its position', () => {
    const [{ tool, results }] = parse([BROKEN_LINK, finding({ code: 'dataset.rows' })]).runs;
    expect(results[0]).toEqual({
      ruleId: 'lint.prose_reference',
      ruleIndex: expect.any(Number),
      level: 'error',
      message: { text: 'The link is broken. Did you mean `a.md`?' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'ops/check/ARTIFACT.md', uriBaseId: '%SRCROOT%' },
            region: { startLine: 12, startColumn: 5, snippet: { text: 'See [it](b.md).' } },
          },
        },
      ],
    });
    for (const { ruleId, ruleIndex } of results) {
      expect(tool.driver.rules[ruleIndex]).toMatchObject({ id: ruleId });
    }
  });

  test.each([
    ['a b/ü#?.md', { uri: 'a%20b/%C3%BC%23%3F.md', uriBaseId: '%SRCROOT%' }],
    ['/home/x y/a.md', { uri: 'file:///home/x%20y/a.md' }],
  ])('encodes the path %j as a URI', (file, artifactLocation) => {
    const [{ results }] = parse([finding({ file })]).runs;
    expect(results[0]?.locations).toMatchObject([{ physicalLocation: { artifactLocation } }]);
  });
});
