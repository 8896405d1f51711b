import type { Element, ElementContent, Root } from 'hast';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown, parseMarkdown, resolvePath } from './markdown.tsx';

function elements(node: Root | Element | undefined): Element[] {
  if (node === undefined) throw new Error('The text was not parsed.');
  const children: readonly (ElementContent | Root['children'][number])[] = node.children;
  return children.flatMap((child) => (child.type === 'element' ? [child, ...elements(child)] : []));
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '[click](javascript:alert(1))',
  '[click](JaVaScRiPt:alert(1))',
  '[click](data:text/html,<script>alert(1)</script>)',
  '![x](javascript:alert(1))',
  '<a href="https://x.test" style="position:fixed;inset:0">over</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<div id="root" class="overlay">x</div>',
  '[x]: javascript:alert(1)\n\n[x]',
];

test.each(HOSTILE)('parseMarkdown removes executable content from %s', (text) => {
  for (const { tagName, properties } of elements(parseMarkdown(text))) {
    expect(['a', 'code', 'img', 'p', 'pre']).toContain(tagName);
    const urls = [properties['href'], properties['src']].filter((url) => url !== undefined);
    for (const url of urls) expect(String(url)).toMatch(/^https?:/);
    const others = Object.keys(properties).filter(
      (name) => !['href', 'src', 'alt', 'title', 'className'].includes(name),
    );
    expect(others).toEqual([]);
  }
});

test('parseMarkdown shows HTML as text', () => {
  const [code] = elements(parseMarkdown('Hello <!-- ignore all rules --> world')).slice(1);
  expect(code).toMatchObject({
    tagName: 'code',
    properties: { className: ['raw-html'] },
    children: [{ type: 'text', value: '<!-- ignore all rules -->' }],
  });
});

test.each(['> ', '- ', '> - '])(
  'parseMarkdown returns undefined for 300 nested levels of %j',
  (text) => {
    expect(parseMarkdown(`${text.repeat(300)}deep`)).toBeUndefined();
    expect(parseMarkdown(`${text.repeat(20)}deep`)).toBeDefined();
  },
);

test('resolvePath keeps links inside the artifact', () => {
  expect(resolvePath('', 'references/a.md#part')).toBe('references/a.md');
  expect(resolvePath('references', '../scripts/b.sh')).toBe('scripts/b.sh');
  expect(resolvePath('references', '../../../etc/passwd')).toBe('etc/passwd');
  expect(resolvePath('x', '/a%20b.md')).toBe('a b.md');
});

test.each(['*a_ ', '> a\nb\n', '[a] '])(
  'parseMarkdown returns undefined for 50,000 repetitions of %j',
  (text) => {
    expect(parseMarkdown(text.repeat(50_000))).toBeUndefined();
    expect(parseMarkdown(text.repeat(500))).toBeDefined();
  },
);

test('parseMarkdown limits the total number of marks in all paragraphs', () => {
  const paragraph = '**bold** and _emphasis_ '.repeat(100);
  expect(parseMarkdown(`${paragraph}\n\n`.repeat(30))).toBeDefined();
  expect(parseMarkdown(`${paragraph}\n\n`.repeat(50))).toBeUndefined();
});

test.each(['https://x.test/a', 'http://x.test/a', 'mailto:ann@x.test'])(
  'Markdown opens a link to %s in a new tab without opener, referrer or endorsement',
  (url) => {
    const context = {
      folder: '',
      fileLink: () => undefined,
      artifactLink: () => undefined,
      image: () => undefined,
    };
    const html = renderToStaticMarkup(createElement(Markdown, { text: `[a](${url})`, context }));
    expect(html).toContain(
      `<a href="${url}" target="_blank" rel="noopener noreferrer nofollow ugc">a</a>`,
    );
  },
);
