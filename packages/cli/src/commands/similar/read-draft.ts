import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isAddress } from '@catalog/consumer/config/is-address';
import { readLocalFile } from '@catalog/consumer/local-file';
import { readArtifact } from '@catalog/core/artifact/read-artifact';
import type { Artifact } from '@catalog/core/artifact/types';
import type { Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { pathInside } from '../../output/places.ts';
import { openRegistryFolder } from '../registry-folder.ts';

export interface Draft {
  artifact: Artifact;
  /** True if the id comes from a registry; otherwise it is the name of the folder. */
  placed: boolean;
}

/** Reads a draft. `registry` is the folder or URL to compare with. */
export function readDraft(typed: string, registry: string | undefined, session: Session): Draft {
  const path = resolve(session.cwd, typed);
  if (!existsSync(path)) throw noDraft(`${typed} does not exist.`);
  const folder = statSync(path).isDirectory() ? path : dirname(path);
  const files = {
    manifest: readOptional(join(folder, 'ARTIFACT.md')),
    skill: readOptional(join(folder, 'SKILL.md')),
  };
  if (files.manifest === undefined && files.skill === undefined) {
    throw noDraft(`${typed} contains no ARTIFACT.md or SKILL.md.`);
  }
  const id = findId(folder, registry);
  const own = { id: id ?? basename(folder), layer: '', ...files, resources: [] };
  const reading = readArtifact(own);
  if (reading.kind === 'ok') return { artifact: reading.artifact, placed: id !== undefined };
  const [problem] = reading.problems;
  throw new CatalogError(
    'ingest.invalid_artifact',
    `Cannot read ${typed}: ${problem?.message ?? ''}`,
    { suggested_action: `${problem?.fix ?? ''} For the location, run \`catalog lint\`.` },
  );
}

function readOptional(path: string): Uint8Array | undefined {
  if (!existsSync(path)) return undefined;
  const file = readLocalFile(path);
  if (file.kind === 'unreadable') throw noDraft(`${path} ${file.reason}.`);
  return file.bytes;
}

/** Returns the id of a folder; undefined if it is not in a registry. */
function findId(folder: string, registry: string | undefined): string | undefined {
  if (registry === undefined || isAddress(registry)) return undefined;
  const inside = pathInside(registry, folder);
  if (inside === undefined || inside === '') return undefined;
  const segments = inside.split(sep);
  return (openRegistryFolder(registry).multi_layer ? segments.slice(1) : segments).join('/');
}

function noDraft(message: string): CatalogError {
  return usageError(
    message,
    'Pass the folder of an artifact, or its manifest. To search by words, use `catalog search`.',
    { command: 'similar', argument: 'path' },
  );
}
