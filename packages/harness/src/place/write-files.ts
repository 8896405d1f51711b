import type { Artifact } from '@catalog/core/artifact/types';
import type { FileOperation } from '../adapter.ts';
import { encodeText } from './encode-text.ts';

/** A file of text; never executable. */
export function writeText(path: string, text: string): Extract<FileOperation, { kind: 'write' }> {
  return { kind: 'write', path, bytes: encodeText(text), executable: false };
}

/** What texts of an artifact came to; it lives as long as the artifact does. */
const encoded = new WeakMap<Artifact, Map<string, Uint8Array>>();

/** A file with a text of an artifact. Several harnesses get the same: it is encoded, and hashed, once. */
export function writeDocument(
  path: string,
  text: string,
  artifact: Artifact,
): Extract<FileOperation, { kind: 'write' }> {
  let texts = encoded.get(artifact);
  if (texts === undefined) {
    texts = new Map();
    encoded.set(artifact, texts);
  }
  let bytes = texts.get(text);
  if (bytes === undefined) {
    bytes = encodeText(text);
    texts.set(text, bytes);
  }
  return { kind: 'write', path, bytes, executable: false };
}

/** Every bundled file under a folder, with its path, bytes and executable bit. */
export function writeBundled(folder: string, { resources }: Artifact): FileOperation[] {
  return resources.map(({ path, bytes, executable }) => ({
    kind: 'write',
    path: `${folder}/${path}`,
    bytes,
    executable,
  }));
}

/** Where every harness finds the bundled files of what has no folder of its own there. */
export function resourcesFolder(id: string): string {
  return `.catalog/resources/${id}`;
}

/** Where every harness finds a context artifact. */
export const CONTEXT_FOLDER = '.catalog/context/{id}';
