import type { Artifact, Manifest } from '@catalog/core/artifact/types';
import type { PlaceContext } from '../adapter.ts';
import { joinDocument, renameDocument, splitDocument } from './frontmatter.ts';
import { markUntrusted } from './provenance.ts';

/** `ARTIFACT.md` byte for byte, but for imported prose, which is marked as data; undefined where there is none. */
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

/** Returns the text of a document of an artifact for a model: imported prose is marked as data. */
export function markedDocument(
  document: Manifest,
  { fields }: Pick<Artifact, 'fields'>,
  mark?: string,
): string {
  const { head, body } = splitDocument(document);
  return joinDocument(document, { head, body: markUntrusted(body, fields.source, mark) });
}

/** A harness goes by the name inside a file: where the file's own is qualified, so is that. */
export function renameHead(head: string, { name, prefix }: PlaceContext): string {
  return prefix === '' ? head : renameDocument(head, name.slice(prefix.length), name);
}

/** The prose of an artifact, what was imported marked as data. */
export function markedBody({ body, fields }: Artifact): string {
  return markUntrusted(body, fields.source);
}

/** The same as a whole file. */
export function proseAlone(artifact: Artifact): string {
  return alone(markedBody(artifact));
}

/** Prose as a whole file: what begins like a fence would be read as frontmatter. */
export function alone(prose: string): string {
  return prose.startsWith('---') ? `\n${prose}` : prose;
}
