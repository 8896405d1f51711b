import type { EntryReader } from '../entry-reader.ts';
import { readYamlDocument } from './read-yaml-document.ts';
import { getContainer, getMember, toJson } from './yaml-document.ts';

/** Reads entries. Values that catalog never writes become `null`. */
export function readYamlEntries(text: string, file: string): EntryReader {
  const { root } = readYamlDocument(text.replace(/^\uFEFF/, ''), file);
  const top = root?.kind === 'object' ? root : undefined;
  return {
    member: (container, key) => {
      const parent = top === undefined ? undefined : getContainer(top, container);
      const item = parent?.kind === 'object' ? getMember(parent, key) : undefined;
      return item === undefined ? undefined : (toJson(item.value) ?? null);
    },
    elements: (container) => {
      const list = top === undefined ? undefined : getContainer(top, container);
      if (list?.kind !== 'array') return [];
      return list.items.map(({ value }) => ({ value: toJson(value) ?? null, tag: undefined }));
    },
    block: () => undefined,
  };
}
