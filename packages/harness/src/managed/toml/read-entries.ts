import type { EntryReader } from '../entry-reader.ts';
import { getNode, parseTomlDocument, toJson } from './toml-document.ts';

export function readTomlEntries(text: string, file: string): EntryReader {
  const { root } = parseTomlDocument(text, file);
  return {
    member: (container, key) => {
      const node = getNode(root, [...container, key]);
      return node === undefined ? undefined : toJson(node);
    },
    elements: (container) => {
      const list = getNode(root, container);
      if (list?.kind !== 'list') return [];
      return list.elements.map((node) => ({ value: toJson(node), tag: undefined }));
    },
    block: () => undefined,
  };
}
