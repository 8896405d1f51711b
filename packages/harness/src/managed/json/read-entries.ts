import type { EntryReader } from '../entry-reader.ts';
import { getContainer, tagOf } from './find-entries.ts';
import { getMember, parseJsonDocument, toJson } from './json-document.ts';

export function readJsonEntries(text: string, file: string): EntryReader {
  const { root } = parseJsonDocument(text, file);
  const top = root?.kind === 'object' ? root : undefined;
  return {
    member: (container, key) => {
      const parent = top === undefined ? undefined : getContainer(top, container);
      const item = parent?.kind === 'object' ? getMember(parent, key) : undefined;
      return item === undefined ? undefined : toJson(item.value);
    },
    elements: (container) => {
      const list = top === undefined ? undefined : getContainer(top, container);
      if (list?.kind !== 'array') return [];
      return list.items.map((item) => ({ value: toJson(item.value), tag: tagOf(item) }));
    },
    block: () => undefined,
  };
}
