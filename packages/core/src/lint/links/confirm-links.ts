import { readLinks, type Link } from './exact-links.ts';
import { outlineProse } from './outline-prose.ts';
import type { PossibleLink } from './possible-links.ts';

/** Number of characters parsed per body. The parser takes milliseconds per 1,000, and far longer for hostile input. */
const PARSER_BUDGET = 4_096;

/** Nine nested quotes and lists on one line: parsing time grows with the square of the nesting. */
const DEEP_NESTING = /^[ \t]*(?:(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])[ \t]*){9}/m;

/**
 * Confirms possible links with the Markdown parser, for the blocks that contain one. When the budget is used up, every
 * possible link counts as a link.
 */
export function* confirmLinks(
  prose: string,
  possible: readonly PossibleLink[],
): Generator<Link, void> {
  let budget = PARSER_BUDGET;
  for (const { start, end, links } of blocksOf(prose, possible)) {
    const block = prose.slice(start, end);
    if (block.length > budget || DEEP_NESTING.test(block)) {
      yield* links;
      continue;
    }
    budget -= block.length;
    for (const { offset, destination } of readLinks(block)) {
      yield { offset: start + offset, destination };
    }
  }
}

interface DoubtfulBlock {
  start: number;
  end: number;
  links: PossibleLink[];
}

function blocksOf(prose: string, possible: readonly PossibleLink[]): DoubtfulBlock[] {
  const { blocks, code } = outlineProse(prose);
  const doubtful: DoubtfulBlock[] = [];
  let block = 0;
  let fence = 0;
  for (const link of possible.toSorted((a, b) => a.offset - b.offset)) {
    while ((code[fence]?.end ?? Infinity) <= link.offset) fence += 1;
    if ((code[fence]?.start ?? Infinity) <= link.offset) continue;
    while ((blocks[block + 1] ?? Infinity) <= link.offset) block += 1;
    const start = blocks[block] ?? 0;
    const current = doubtful.at(-1);
    if (current?.start === start) current.links.push(link);
    else doubtful.push({ start, end: blocks[block + 1] ?? prose.length, links: [link] });
  }
  return doubtful;
}
