import { beforeLineBreak, isLineBreak, lineEnd, skipBlanks, skipLineBreak } from './lines.ts';
import type { OwnedFile } from './managed-file.ts';
import { leadStart, type Splice } from './splices.ts';

/**
 * Block of whole lines after a blank line. It consists of the two line breaks before it and its text; exactly this
 * range is inserted and later removed, so that the end of the file stays. In an empty file, the first block has the
 * line break after it instead, which the lock records (`begins`).
 */
export interface TextBlock {
  start: number;
  end: number;
  /** Number of line breaks that belong to the block; two if absent. */
  breaks?: 1 | 2;
}

export function beginsFile(owned: OwnedFile | undefined): boolean {
  return owned?.created.some((path) => path.length === 0) === true;
}

/** Inserts blocks. `end` is the end of the user's text; undefined without any. */
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

export interface BlockCuts<Block> {
  splices: Splice[];
  beginning: Block[];
}

/**
 * Removes blocks, which must be in order. A block that begins the file is removed with the following line break, and
 * the next one takes its place. A comment of the user on the last line of a block stays on its own line.
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
