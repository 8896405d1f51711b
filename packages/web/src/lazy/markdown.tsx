import type { Element, ElementContent, Root, RootContent } from 'hast';
import { sanitize, defaultSchema, type Schema } from 'hast-util-sanitize';
import type { Html, Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toHast } from 'mdast-util-to-hast';
import { gfm } from 'micromark-extension-gfm';
import { createElement, Fragment, useMemo, type ReactElement, type ReactNode } from 'react';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { CodeBlock } from '../parts/code-block.tsx';
import { classes } from '../parts/classes.ts';
import * as tableStyles from '../parts/table.module.css';
import * as textStyles from '../parts/text.module.css';
import * as styles from './markdown.module.css';

export interface MarkdownContext {
  /** Folder of the file, relative to the artifact; empty for its root. */
  folder: string;
  /** Renders a link to a file; undefined if the artifact has no such file. */
  fileLink: (path: string, children: ReactNode) => ReactElement | undefined;
  /** Renders a link to an artifact; undefined if the link cannot name one. */
  artifactLink: (href: string, children: ReactNode) => ReactElement | undefined;
  image: (path: string, alt: string) => ReactElement | undefined;
}

/** Prefix of heading ids, so that Markdown cannot name an element of the page. */
const ID_PREFIX = 'text-';

const SCHEMA: Schema = {
  ...defaultSchema,
  clobberPrefix: ID_PREFIX,
  attributes: {
    a: ['href', 'title'],
    img: ['src', 'alt', 'title'],
    code: [['className', /^language-[\w+#.-]+$/, 'raw-html']],
    input: ['checked', 'disabled', ['type', 'checkbox']],
    ol: ['start'],
    td: ['align'],
    th: ['align'],
    '*': ['id'],
  },
  protocols: { href: ['http', 'https', 'mailto'], src: ['http', 'https'] },
};

/** Maximum nesting. Deeper Markdown is shown as source, because rendering it would exceed the call stack. */
const MAX_DEPTH = 100;

/** Maximum number of marks. Markdown with more is shown as source, because parsing takes quadratic time. */
const MAX_MARKS = 20_000;
const MAX_MARKS_OF_PARAGRAPH = 4000;

/**
 * Parses Markdown to a tree without executable content; HTML becomes text. Returns undefined if it is nested too deeply
 * or would block the page.
 */
export function parseMarkdown(text: string): Root | undefined {
  if (hasTooManyMarks(text)) return undefined;
  const tree: Nodes = fromMarkdown(text, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  if (isDeeperThan(tree, MAX_DEPTH)) return undefined;
  const hast = toHast(tree, {
    handlers: { html: (_: unknown, node: Html) => rawHtml(node.value) },
    footnoteLabel: 'Footnotes',
    clobberPrefix: '',
  });
  const safe = sanitize(hast, SCHEMA);
  return safe.type === 'root' ? safe : { type: 'root', children: [] };
}

function hasTooManyMarks(text: string): boolean {
  return (
    countMarks(text) > MAX_MARKS ||
    text.split(/\n[\t ]*\n/).some((paragraph) => countMarks(paragraph) > MAX_MARKS_OF_PARAGRAPH)
  );
}

function countMarks(text: string): number {
  return text.match(/[*>[_~]/g)?.length ?? 0;
}

function isDeeperThan(tree: Nodes, depth: number): boolean {
  let level: Nodes[] = [tree];
  for (let at = 0; at <= depth && level.length > 0; at += 1) {
    level = level.flatMap((node) => ('children' in node ? node.children : []));
  }
  return level.length > 0;
}

function rawHtml(value: string): Element {
  return {
    type: 'element',
    tagName: 'code',
    properties: { className: ['raw-html'] },
    children: [{ type: 'text', value }],
  };
}

/** Elements whose text has its own direction. */
const BLOCKS: ReadonlySet<string> = new Set(['p', 'li', 'blockquote', 'td', 'th']);

export function Markdown({
  text,
  context,
}: {
  text: string;
  context: MarkdownContext;
}): ReactElement {
  const tree = useMemo(() => parseMarkdown(text), [text]);
  if (tree === undefined) {
    return (
      <div className={styles.prose} data-prose="">
        <CodeBlock className={styles.wide} text={text} />
      </div>
    );
  }
  const render = createRenderer(context);
  return (
    <div className={styles.prose} data-prose="">
      {tree.children.map((child, at) => render(child, at))}
    </div>
  );
}

function createRenderer(context: MarkdownContext) {
  const ids = new Map<string, number>();

  function all(children: readonly ElementContent[]): ReactNode[] {
    return children.map((child, at) => render(child, at));
  }

  function render(node: RootContent, key: number): ReactNode {
    if (node.type === 'text') return escapeControls(node.value, 'lines');
    if (node.type !== 'element') return null;
    const { tagName, properties, children } = node;
    if (tagName === 'a') return renderLink(node, key);
    if (tagName === 'img') return renderImage(node, key);
    if (tagName === 'pre') return renderCode(node, key);
    if (/^h[1-6]$/.test(tagName)) return renderHeading(node, key);
    if (tagName === 'table') {
      return (
        <div
          key={key}
          className={classes(tableStyles.scroll, styles.wide)}
          role="group"
          aria-label="Table"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
          tabIndex={0}
        >
          <table>{all(children)}</table>
        </div>
      );
    }
    if (tagName === 'input') {
      return <input key={key} type="checkbox" disabled checked={properties['checked'] === true} />;
    }
    const className = classOf(properties['className']);
    const props: Record<string, unknown> = { key };
    if (BLOCKS.has(tagName)) props['dir'] = 'auto';
    if (className !== undefined) props['className'] = className;
    if (typeof properties['start'] === 'number') props['start'] = properties['start'];
    if (typeof properties['align'] === 'string') props['data-align'] = properties['align'];
    if (typeof properties['id'] === 'string') props['id'] = properties['id'];
    return createElement(tagName, props, ...(children.length === 0 ? [] : all(children)));
  }

  /** Renders a heading one level lower, because the page has its own h1. */
  function renderHeading({ tagName, children }: Element, key: number): ReactNode {
    const level = Math.min(Number(tagName.slice(1)) + 1, 6);
    const slug = slugOf(children);
    const used = ids.get(slug) ?? 0;
    ids.set(slug, used + 1);
    const id = `${ID_PREFIX}${used === 0 ? slug : `${slug}-${used}`}`;
    return createElement(`h${level}`, { key, id, dir: 'auto' }, ...all(children));
  }

  function renderLink({ properties, children }: Element, key: number): ReactNode {
    const href = typeof properties['href'] === 'string' ? properties['href'] : '';
    const content = all(children);
    if (href.startsWith('#')) {
      return (
        <a key={key} href={`#${ID_PREFIX}${href.slice(1).replace(ID_PREFIX, '')}`}>
          {content}
        </a>
      );
    }
    if (/^(?:https?:\/\/|mailto:)/i.test(href)) {
      return (
        <a key={key} href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
          {content}
        </a>
      );
    }
    const link =
      context.fileLink(resolvePath(context.folder, href), content) ??
      context.artifactLink(href, content);
    return link === undefined ? (
      <span
        key={key}
        className={textStyles.missing}
        title={`Not in this artifact: ${escapeControls(href)}`}
      >
        {content}
      </span>
    ) : (
      <span key={key}>{link}</span>
    );
  }

  function renderImage({ properties }: Element, key: number): ReactNode {
    const source = typeof properties['src'] === 'string' ? properties['src'] : '';
    const alt = typeof properties['alt'] === 'string' ? escapeControls(properties['alt']) : '';
    const isOwn = !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(source);
    const image = isOwn ? context.image(resolvePath(context.folder, source), alt) : undefined;
    if (image !== undefined) return <Fragment key={key}>{image}</Fragment>;
    return (
      <span key={key} className={styles.missingImage}>
        Image {alt === '' ? '' : `“${alt}” `}not shown: <code>{escapeControls(source)}</code>{' '}
        {isOwn ? 'is not in this artifact' : 'is on another site'}
      </span>
    );
  }

  function renderCode({ children }: Element, key: number): ReactNode {
    const [code] = children;
    if (code?.type !== 'element') return <pre key={key}>{all(children)}</pre>;
    const language = /language-(\S+)/.exec(classOf(code.properties['className']) ?? '')?.[1];
    return (
      <CodeBlock
        key={key}
        className={styles.wide}
        text={textOf(code.children).replace(/\n$/, '')}
        language={language}
        hasCopy
      />
    );
  }

  return render;
}

function classOf(value: unknown): string | undefined {
  return Array.isArray(value) ? value.join(' ') : undefined;
}

function textOf(nodes: readonly ElementContent[]): string {
  return nodes
    .map((node) =>
      node.type === 'text' ? node.value : node.type === 'element' ? textOf(node.children) : '',
    )
    .join('');
}

/** Returns the anchor that GitHub gives a heading. */
function slugOf(children: readonly ElementContent[]): string {
  return textOf(children)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** Resolves a relative link of an artifact; leading `..` beyond its root are dropped. */
export function resolvePath(folder: string, link: string): string {
  const [path = ''] = link.split(/[?#]/);
  const start = path.startsWith('/') || folder === '' ? [] : folder.split('/');
  const parts = [...start];
  for (const part of decode(path).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
