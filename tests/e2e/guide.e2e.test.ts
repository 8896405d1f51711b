import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installedProgram } from '@catalog/testkit/packed-program';
import { followPage } from './follow-page.ts';
import { readAnchors, readLinks, readSteps, replaceOutput, type Step } from './guide-page.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = 'docs/guide';
/** The page of the npm package, which has no access to other files of the repository. */
const PACKAGE_PAGE = 'packages/cli/README.md';
const pages = [
  'README.md',
  PACKAGE_PAGE,
  ...readdirSync(join(ROOT, GUIDE), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${GUIDE}/${name}`),
];

const PAGE_TIMEOUT_MS = 120_000;

describe('followPage', () => {
  for (const page of pages) {
    test(page, { timeout: PAGE_TIMEOUT_MS }, () =>
      followPage(readFileSync(join(ROOT, page), 'utf8'), page),
    );
  }

  test.each([
    ['other output', '$ echo one\ntwo', /page:2: \$ echo one[^]*the page says:\ntwo[^]*one$/],
    ['output that is not shown', '$ echo one', /\$ echo one/],
    ['output that is missing', '$ true\none', /\$ true/],
    ['less than is shown after a gap', '$ echo one\n...\none\ntwo', /\$ echo one/],
    ['a failure that is not shown', '$ catalog snyc', /is not a command/],
  ])('fails for %s', async (_, lines, complaint) => {
    await expect(followPage(`\`\`\`console\n${lines}\n\`\`\`\n`, 'page')).rejects.toThrow(
      complaint,
    );
  });

  test('fails for a terminal that ends, or that prints other output', async () => {
    const ended = followPage('```terminal\n$ echo one\ntwo\n```\n', 'page');
    await expect(ended).rejects.toThrow(/echo one[^]*two[^]*one/);
  });
});

test('`./dev pages` replaces the output of the commands whose output differs', () => {
  const page =
    'A\n\n```console\n$ one\nold\n\n$ two\n$ three\nolder\n$ four\na\n...\nb\n```\n\nB\n';
  const isCommand = (step: Step): step is Extract<Step, { kind: 'command' }> =>
    step.kind === 'command';
  const [one, two, three, four] = readSteps(page).filter(isCommand);
  const differences = [
    { step: one!, printed: 'new\nlines\n' },
    { step: two!, printed: 'more\n' },
    { step: three!, printed: '' },
    { step: four!, printed: 'first\nsecond\nthird\nlast\n' },
  ];
  expect(replaceOutput(page, differences)).toBe(
    'A\n\n```console\n$ one\nnew\nlines\n\n$ two\nmore\n$ three\n$ four\nfirst\n...\nlast\n```\n\nB\n',
  );
});

describe('links of the guide', () => {
  test.each(pages)('%s has no broken links', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const dead = readLinks(text).filter(({ path, anchor }) => {
      const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
      if (!existsSync(file)) return true;
      return anchor !== undefined && !readAnchors(readFileSync(file, 'utf8')).has(anchor);
    });
    expect(dead).toEqual([]);
  });

  test('the page of the package contains no relative links', () => {
    const packed = join(installedProgram(), 'lib/node_modules/@catalog/cli/README.md');
    const text = readFileSync(packed, 'utf8');
    expect(text).toBe(readFileSync(join(ROOT, PACKAGE_PAGE), 'utf8'));
    expect(readLinks(text)).toEqual([]);
  });

  test.each([GUIDE, `${GUIDE}/harnesses`])('the index of %s lists every page', (folder) => {
    const index = readFileSync(join(ROOT, folder, 'README.md'), 'utf8');
    const names = readdirSync(join(ROOT, folder)).filter(
      (name) => name !== 'README.md' && name !== 'screens',
    );
    const places = names.map((name) => (name.endsWith('.md') ? name : `${name}/README.md`));
    expect(places.filter((place) => !index.includes(`](${place})`))).toEqual([]);
  });

  test('every screenshot is on a page', () => {
    const pages = readdirSync(join(ROOT, GUIDE)).filter((name) => name.endsWith('.md'));
    const shown = pages.map((name) => readFileSync(join(ROOT, GUIDE, name), 'utf8')).join('\n');
    const screens = readdirSync(join(ROOT, GUIDE, 'screens'));
    expect(screens.filter((name) => !shown.includes(`](screens/${name})`))).toEqual([]);
  });
});
