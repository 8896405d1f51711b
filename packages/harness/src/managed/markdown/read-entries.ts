import type { EntryReader } from '../entry-reader.ts';
import { findBlocks } from './find-blocks.ts';

export function readMarkdownEntries(text: string, file: string): EntryReader {
  const blocks = new Map(findBlocks(text, new Set(), file).map(({ id, inner }) => [id, inner]));
  return {
    member: () => undefined,
    elements: () => [],
    block: (id) => blocks.get(id),
  };
}
