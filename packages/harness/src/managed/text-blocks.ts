import { beforeLineBreak, isLineBreak, lineEnd, skipBlanks, skipLineBreak } from './lines.ts';
import type { OwnedFile } from './managed-file.ts';
import { leadStart, type Splice } from './splices.ts';

/**
 * Blocks of ours in a person's text: whole lines behind a blank line. A block is the two line breaks
 * before it and its own text, so that whatever ends the file keeps ending it: that much is inserted,
 * and exactly that much is removed again. Only where a file held nothing there are no breaks before:
 * the first block then owns the one behind it, which is noted (`begins`).
 */
export interface TextBlock {
  start: number;
  end: number;
  /** How many line breaks before it are its own; two where it does not say. */
  breaks?: 1 | 2;
}

/** Whether the lock notes that our first block begins the file. */
export function beginsFile(owned: OwnedFile | undefined): boolean {
  return owned?.created.some((path) => path.length === 0) === true;
}

/** Blocks to be put behind `end`, where the person's text ends; undefined where there is none. */
export function insertBlocks(
  text: string,
  end: number | undefined,
  blocks: readonly string[],
  eol: string,
): Splice {
  const joined = blocks.join(eol + eol);
  if (end === undefined) {
    const offset = text.startsWith('\uFEFF') ? 1 : 0;
    return { start: offset, end: offset, text: joined + eol };
  }
  const offset = lineEnd(text, end);
  return { start: offset, end: offset, text: eol + eol + joined };
}

/** The cuts that remove blocks. */
export interface BlockCuts<Block> {
  splices: Splice[];
  /** Those that stay and begin the file. */
  beginning: Block[];
}

/**
 * Removes blocks, given all of ours in their order. One that begins the file goes with the line break
 * behind it, and the next of ours takes its place. A comment of the person's on the last line of a
 * block stays on a line of its own.
 */
export function removeBlocks<Block extends TextBlock>(
  text: string,
  blocks: readonly Block[],
  isRemoved: (block: Block) => boolean,
  begins: (block: Block) => boolean,
): BlockCuts<Block> {
  const splices: Splice[] = [];
  const beginning: Block[] = [];
  let inherits = false;
  for (const [index, block] of blocks.entries()) {
    const first = inherits || begins(block);
    inherits = false;
    const next = blocks[index + 1];
    if (!isRemoved(block)) {
      if (first) beginning.push(block);
    } else if (!first) {
      splices.push(cut(blockStart(text, block), block, text));
    } else if (next !== undefined && blockStart(text, next) === block.end) {
      splices.push({ start: block.start, end: next.start, text: '' });
      inherits = true;
    } else {
      splices.push(cutWithBreak(block, text));
    }
  }
  return { splices, beginning };
}

/** Where a block begins with the line breaks that are its own. */
function blockStart(text: string, { start, breaks = 2 }: TextBlock): number {
  const one = leadStart(text, start);
  return breaks === 2 && isLineBreak(text.charCodeAt(one)) ? beforeLineBreak(text, one) : one;
}

function cut(start: number, block: TextBlock, text: string): Splice {
  const end = skipBlanks(text, block.end);
  if (end < lineEnd(text, end)) return { start: block.start, end, text: '' };
  return { start, end: block.end, text: '' };
}

function cutWithBreak(block: TextBlock, text: string): Splice {
  const { start, end } = cut(block.start, block, text);
  return { start, end: skipLineBreak(text, end), text: '' };
}
