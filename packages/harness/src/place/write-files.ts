import type { Artifact } from '@catalog/core/artifact/types';
import type { FileOperation } from '../adapter.ts';
import { encodeText } from './encode-text.ts';

/** A file of text; never executable. */
export function writeText(path: string, text: string): FileOperation {
  return { kind: 'write', path, bytes: encodeText(text), executable: false };
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
export function contextFolder(id: string): string {
  return `.catalog/context/${id}`;
}
