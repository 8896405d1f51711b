import type { Artifact } from '@catalog/core/artifact/types';
import type { FileOperation, PlaceContext } from '../../adapter.ts';
import { joinDocument, renameDocument, splitDocument } from '../../place/frontmatter.ts';
import { markUntrusted } from '../../place/provenance.ts';
import { writeText } from '../../place/write-files.ts';

/** `ARTIFACT.md` byte for byte, but for imported prose, which is marked as data. */
export function writeManifest(
  path: string,
  { manifest, fields }: Artifact,
  context: PlaceContext,
): FileOperation[] {
  if (manifest === undefined) return [];
  const { head, body } = splitDocument(manifest);
  const text = joinDocument(manifest, {
    head: renameHead(head, context),
    body: markUntrusted(body, fields.source),
  });
  return [writeText(path, text)];
}

/** The harness goes by the name inside a file: where the file's own is qualified, so is that. */
export function renameHead(head: string, { name, prefix }: PlaceContext): string {
  return prefix === '' ? head : renameDocument(head, name.slice(prefix.length), name);
}
