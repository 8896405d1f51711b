import type { Artifact } from '@catalog/core/artifact/types';
import type { FileOperation } from '../adapter.ts';
import { encodeText } from './encode-text.ts';

/** Writes a text file, which is never executable. */
export function writeText(path: string, text: string): Extract<FileOperation, { kind: 'write' }> {
  return { kind: 'write', path, bytes: encodeText(text), executable: false };
}

const encoded = new WeakMap<Artifact, Map<string, Uint8Array>>();

/** Writes a document, whose text is encoded and hashed once for several harnesses. */
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

export function writeBundled(folder: string, { resources }: Artifact): FileOperation[] {
  return resources.map(({ path, bytes, executable }) => ({
    kind: 'write',
    path: `${folder}/${path}`,
    bytes,
    executable,
  }));
}

/** Returns the folder of bundled files, for artifacts without their own. */
export function resourcesFolder(id: string): string {
  return `.catalog/resources/${id}`;
}

export const CONTEXT_FOLDER = '.catalog/context/{id}';
