import type { Artifact } from '@catalog/core/artifact/types';
import type { JsonObject } from '@catalog/core/json';
import type { FileOperation, HarnessAdapter, PlacedType } from '../adapter.ts';
import { plainNames } from '../naming.ts';
import type { FoundFile } from './candidate.ts';
import { differingKeys, normalizeWhitespace } from './group-copies.ts';
import { readParts, textOf } from './product-text.ts';

/** Describes how a sync would change the original file. Empty for an entry of a shared file. */
export function describeSyncChanges(
  artifact: Artifact,
  type: PlacedType,
  adapter: HarnessAdapter,
  file: FoundFile,
): string[] {
  const placed = adapter.place[type](artifact, plainNames(artifact.id));
  if ('untranslatable' in placed)
    return [`${adapter.id} cannot be given it: ${placed.untranslatable}`];
  const write = placed.find((operation) => isDocument(operation, file));
  const [found, written] = [partsOf(file.bytes), partsOf(write?.bytes)];
  if (found === undefined || written === undefined) return [];
  const keys = differingKeys(found.values, written.values);
  const notes = [
    describe(
      'does not write',
      keys.filter((key) => !(key in written.values)),
    ),
    describe(
      'changes',
      keys.filter((key) => key in written.values && key in found.values),
    ),
    describe(
      'adds',
      keys.filter((key) => !(key in found.values)),
    ),
    describe(
      'changes',
      normalizeWhitespace(found.body) === normalizeWhitespace(written.body) ? [] : ['the body'],
    ),
  ];
  return notes.flatMap((note) => (note === undefined ? [] : [`a sync for ${adapter.id} ${note}`]));

  function partsOf(
    bytes: Uint8Array | undefined,
  ): { values: JsonObject; body: string } | undefined {
    const text = bytes === undefined ? undefined : textOf(bytes);
    const parts = typeof text === 'string' ? readParts(text, file.path) : undefined;
    return parts === undefined || 'left' in parts ? undefined : parts;
  }
}

function isDocument(
  operation: FileOperation,
  { path }: FoundFile,
): operation is Extract<FileOperation, { kind: 'write' }> {
  const ending = path.slice(path.lastIndexOf('.'));
  return operation.kind === 'write' && operation.path.endsWith(ending);
}

function describe(verb: string, what: readonly string[]): string | undefined {
  return what.length === 0 ? undefined : `${verb} ${what.join(', ')}`;
}
