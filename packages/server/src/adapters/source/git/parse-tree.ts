import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { EntryKind } from '@catalog/core/layer/place-entries';

export interface TreeItem {
  name: string;
  kind: EntryKind;
  executable: boolean;
  object: string;
}

const HASH_BYTES = 20;
const SPACE = 0x20;

/** Parses a tree object. Returns undefined if the tree is malformed, even if git accepted it. */
export function parseTree(bytes: Uint8Array): TreeItem[] | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const items: TreeItem[] = [];
  for (let offset = 0; offset < buffer.length;) {
    const space = buffer.indexOf(SPACE, offset);
    const end = buffer.indexOf(0, space);
    const next = end + 1 + HASH_BYTES;
    if (space === -1 || end === -1 || next > buffer.length) return undefined;
    const mode = Number.parseInt(buffer.toString('latin1', offset, space), 8);
    const name = buffer.toString('utf8', space + 1, end);
    if (name === '' || name.includes('/')) return undefined;
    items.push({
      name,
      kind: kindOf(mode),
      executable: (mode & 0o100) !== 0,
      object: buffer.toString('hex', end + 1, next),
    });
    offset = next;
  }
  // Git sorts folders as if their names ended with a slash.
  return items.sort((a, b) => compareBytes(a.name, b.name));
}

function kindOf(mode: number): EntryKind {
  switch (mode & 0o170000) {
    case 0o040000:
      return 'folder';
    case 0o100000:
      return 'file';
    case 0o120000:
      return 'link';
    case 0o160000:
      return 'submodule';
    default:
      return 'special';
  }
}
