import type { Artifact, Manifest } from '@catalog/core/artifact/types';
import type { PlaceContext } from '../adapter.ts';
import { joinDocument, renameDocument, splitDocument } from './frontmatter.ts';
import { markUntrusted } from './provenance.ts';

/** Returns the manifest as authored, except for imported prose, which is marked as data, and a qualified name. */
export function manifestText(
  { manifest, fields }: Artifact,
  context: PlaceContext,
): string | undefined {
  if (manifest === undefined) return undefined;
  const { head, body } = splitDocument(manifest);
  return joinDocument(manifest, {
    head: renameHead(head, context),
    body: markUntrusted(body, fields.source),
  });
}

/** Returns a document in which imported prose is marked as data. */
export function markedDocument(
  document: Manifest,
  { fields }: Pick<Artifact, 'fields'>,
  mark?: string,
): string {
  const { head, body } = splitDocument(document);
  return joinDocument(document, { head, body: markUntrusted(body, fields.source, mark) });
}

/** Replaces the name in the frontmatter, which harnesses use, by the qualified one. */
export function renameHead(head: string, { name, prefix }: PlaceContext): string {
  return prefix === '' ? head : renameDocument(head, name.slice(prefix.length), name);
}

/** Returns the body, in which imported prose is marked as data. */
export function markedBody({ body, fields }: Artifact): string {
  return markUntrusted(body, fields.source);
}

export function proseAsWholeFile(artifact: Artifact): string {
  return asWholeFile(markedBody(artifact));
}

/** Adds a blank line before a fence, so that it is not read as frontmatter. */
export function asWholeFile(prose: string): string {
  return prose.startsWith('---') ? `\n${prose}` : prose;
}
