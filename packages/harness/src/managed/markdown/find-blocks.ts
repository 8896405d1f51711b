import { invalidTarget } from '../refusals.ts';
import type { TextBlock } from '../text-blocks.ts';
import { isClosing, readOpening, type Fence } from './code-fences.ts';
import { readMarker, splitLines, writeMarker, type Line, type Marker } from './marker-lines.ts';

/** Block in a file, including its markers. */
export interface FoundBlock extends TextBlock {
  id: string;
  /** Lines between the markers, with normalized line breaks. */
  inner: string;
}

interface Scan {
  text: string;
  file: string;
  lines: readonly Line[];
  markers: readonly (Marker | undefined)[];
  /** Minimum length of fences that are never closed, by character. */
  unclosed: Map<string, number>;
}

/**
 * Finds blocks. Markers in fenced code belong to the user, except for a managed block that occurs only there. A fence
 * that is never closed is ignored; otherwise all later blocks would be lost. Rejects repeated or nested markers and
 * those without a counterpart, because the text between may belong to the user.
 */
export function findBlocks(text: string, owned: ReadonlySet<string>, file: string): FoundBlock[] {
  const lines = splitLines(text);
  const markers = lines.map((line) => readMarker(line.text));
  const scan: Scan = { text, file, lines, markers, unclosed: new Map() };
  const blocks = new Map<string, FoundBlock>();
  const fenced: FoundBlock[] = [];
  let index = 0;
  while (index < lines.length) {
    if (markers[index] !== undefined) {
      const [block, next] = readBlock(scan, index);
      if (blocks.has(block.id)) throw repeated(scan, index, block.id);
      blocks.set(block.id, block);
      index = next;
      continue;
    }
    const code = readCode(scan, index);
    fenced.push(...(code?.blocks ?? []));
    index = code?.next ?? index + 1;
  }
  for (const block of fenced) {
    if (owned.has(block.id) && !blocks.has(block.id)) blocks.set(block.id, block);
  }
  return [...blocks.values()].sort((a, b) => a.start - b.start);
}

function readBlock(scan: Scan, index: number): [FoundBlock, number] {
  const marker = scan.markers[index];
  const end = pairOf(scan, index);
  if (marker === undefined || end === undefined) throw unbalanced(scan, index);
  const { lines, text } = scan;
  const inner = lines.slice(index + 1, end).map((line) => line.text);
  const block = {
    id: marker.id,
    start: lines[index]?.start ?? 0,
    end: lines[end]?.end ?? text.length,
    inner: inner.join('\n'),
  };
  return [block, end + 1];
}

/** Returns the end marker, which must be the next marker. */
function pairOf({ markers }: Scan, index: number): number | undefined {
  const begin = markers[index];
  if (begin?.kind !== 'begin') return undefined;
  let next = index + 1;
  while (next < markers.length && markers[next] === undefined) next += 1;
  const end = markers[next];
  return end?.kind === 'end' && end.id === begin.id ? next : undefined;
}

function readCode(scan: Scan, index: number): { blocks: FoundBlock[]; next: number } | undefined {
  const fence = readOpening(scan.lines[index]?.text ?? '');
  if (fence === undefined || isKnownUnclosed(scan, fence)) return undefined;
  const blocks: FoundBlock[] = [];
  let next = index + 1;
  while (next < scan.lines.length) {
    const end = pairOf(scan, next);
    if (end !== undefined) {
      blocks.push(readBlock(scan, next)[0]);
      next = end + 1;
      continue;
    }
    if (isClosing(scan.lines[next]?.text ?? '', fence)) return { blocks, next: next + 1 };
    next += 1;
  }
  scan.unclosed.set(fence.sign, fence.length);
  return undefined;
}

function isKnownUnclosed({ unclosed }: Scan, { sign, length }: Fence): boolean {
  return length >= (unclosed.get(sign) ?? Infinity);
}

function unbalanced({ text, lines, markers, file }: Scan, index: number): Error {
  const { kind = 'end', id = '' } = markers[index] ?? {};
  const [problem, where, missing] =
    kind === 'begin'
      ? ([
          `begins the block of ${id}, which has no end of its own before the next marker`,
          'behind its last line',
          'end',
        ] as const)
      : ([`ends a block of ${id} that has not begun`, 'before its first line', 'begin'] as const);
  const next = `Put this line back ${where}: ${writeMarker({ kind: missing, id })} or, to write the block again, delete the rest of it with its marker. Then run the command again.`;
  return invalidTarget(text, lines[index]?.start ?? 0, file, problem, next);
}

function repeated({ text, lines, file }: Scan, index: number, id: string): Error {
  return invalidTarget(text, lines[index]?.start ?? 0, file, `begins a second block of ${id}`);
}
