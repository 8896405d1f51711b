import { fromMarkdown } from 'mdast-util-from-markdown';

/** A link, image or definition of Markdown. */
export interface Link {
  /** Where it starts. */
  offset: number;
  /** With escapes and entities resolved. */
  destination: string;
}

/** As much of a Markdown tree as is needed here. */
interface MarkdownNode {
  type: string;
  url?: string;
  position?: { start: { offset?: number | undefined } } | undefined;
  children?: readonly MarkdownNode[];
}

/** Emphasis decides about no link, and is where the parser can be made to work longest. */
const SYNTAX = { extensions: [{ disable: { null: ['attention'] } }] };

/** The links of a piece of Markdown, exactly. It takes a millisecond where a scan takes one hundredth. */
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
