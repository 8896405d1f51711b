import { fromMarkdown } from 'mdast-util-from-markdown';

export interface Link {
  offset: number;
  destination: string;
}

interface MarkdownNode {
  type: string;
  url?: string;
  position?: { start: { offset?: number | undefined } } | undefined;
  children?: readonly MarkdownNode[];
}

/** Emphasis is disabled, because it does not affect links and is slow for hostile input. */
const SYNTAX = { extensions: [{ disable: { null: ['attention'] } }] };

/** Parses Markdown for links. This takes about 1 ms, a hundred times as long as a scan. */
export function readLinks(prose: string): Link[] {
  const links: Link[] = [];
  const open: MarkdownNode[] = [fromMarkdown(prose, SYNTAX)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.url !== undefined) {
      links.push({ offset: node.position?.start.offset ?? 0, destination: node.url });
    }
    if (node.children !== undefined) open.push(...node.children);
  }
  return links.sort((a, b) => a.offset - b.offset);
}
