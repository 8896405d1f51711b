import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ArtifactRecord, BatchOkItem } from '@catalog/contract/records/artifact';
import { contentHash } from '@catalog/core/artifact/content-hash';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { readArtifact } from '@catalog/core/artifact/read-artifact';
import { pathProblem } from '@catalog/core/artifact/safe-path';
import type { Artifact, AuthoredPackage, PackageFile } from '@catalog/core/artifact/types';
import { shellWord } from '@catalog/core/text/shell-word';
import { quoteServer } from '@catalog/sdk/quote-server';
import type { CatalogEntry } from './catalog-source.ts';
import { readBase64 } from './read-base64.ts';

const MANIFEST_FILE = 'ARTIFACT.md';
const SKILL_FILE = 'SKILL.md';

export type ServedFile = { path: string; executable: boolean } & (
  | { kind: 'inline'; bytes: Uint8Array }
  | { kind: 'large'; url: string; content_hash: string; size: number }
);

type ServedItem = Omit<BatchOkItem, 'status' | 'resources'> & {
  resources: readonly (Pick<BatchOkItem['resources'][number], 'path'> &
    Partial<BatchOkItem['resources'][number]>)[];
};

export function filesOfRecord(record: ArtifactRecord): ServedFile[] {
  const { resources, large_resources, resources_base64 = false } = record;
  const inline = Object.entries(resources).map(([path, text]) => ({
    path,
    inline: text,
    inline_base64: resources_base64,
  }));
  const large = Object.entries(large_resources).map(([path, file]) => ({ path, ...file }));
  return filesOf({ ...record, resources: [...inline, ...large] });
}

export function filesOf(item: ServedItem): ServedFile[] {
  const executable = new Set(item.executable);
  const files: ServedFile[] = [];
  const manifest = {
    url: item.manifest_body_url,
    hash: item.manifest_body_hash,
    size: item.manifest_body_size,
  };
  const skill = {
    url: item.skill_body_url,
    hash: item.skill_body_hash,
    size: item.skill_body_size,
  };
  // A skill may have no ARTIFACT.md; an empty one is always rejected.
  if (item.manifest_body !== '') files.push(textFile(MANIFEST_FILE, item.manifest_body, manifest));
  if (item.skill_body !== undefined || skill.url !== undefined) {
    files.push(textFile(SKILL_FILE, item.skill_body, skill));
  }
  for (const { path, inline, inline_base64, presigned_url, ...large } of item.resources) {
    refusePath(item, path);
    const common = { path, executable: executable.has(path) };
    const { content_hash = '', size = 0 } = large;
    files.push(
      inline === undefined
        ? { ...common, kind: 'large', url: presigned_url ?? '', content_hash, size }
        : { ...common, kind: 'inline', bytes: toBytes(item, path, inline, inline_base64 === true) },
    );
  }
  return files;
}

interface RemoteContent {
  url: string | undefined;
  hash: string | undefined;
  size: number | undefined;
}

function textFile(
  path: string,
  text: string | undefined,
  { url, hash, size }: RemoteContent,
): ServedFile {
  const common = { path, executable: false };
  if (text !== undefined) return { ...common, kind: 'inline', bytes: Buffer.from(text) };
  return { ...common, kind: 'large', url: url ?? '', content_hash: hash ?? '', size: size ?? 0 };
}

/** Throws for an unsafe path: the registry may not be trustworthy, so paths are checked like those of a layer. */
function refusePath({ id }: ServedItem, path: string): void {
  const problem = pathProblem(path);
  if (problem === undefined) return;
  throw new CatalogError(
    'materialize.target_invalid',
    `The registry returned ${id} with the file ${quoteServer(path)}, which ${problem}; nothing was written.`,
    {
      details: { path },
      suggested_action: `Report this to the owner of the registry. Until it is fixed, leave the artifact out with --exclude ${shellWord(id)}.`,
    },
  );
}

function toBytes(item: ServedItem, path: string, inline: string, base64: boolean): Uint8Array {
  if (!base64) return Buffer.from(inline);
  const bytes = readBase64(inline);
  if (bytes !== undefined) return bytes;
  const { id, version } = item;
  throw new CatalogError(
    'materialize.invalid_base64',
    `The registry returned ${id} with invalid base64 for the file ${path}; nothing was written.`,
    { details: { artifact_id: id, version, path } },
  );
}

export type Rebuilt = { kind: 'ok'; artifact: Artifact } | { kind: 'other'; received: string };

/** Builds an artifact from a response and verifies its content hash (SPEC-46). */
export function rebuildArtifact(entry: CatalogEntry, files: readonly PackageFile[]): Rebuilt {
  const pkg = toPackage(entry, files);
  const reading = readArtifact(pkg);
  const received = reading.kind === 'ok' ? reading.artifact.content_hash : contentHash(files);
  if (received !== entry.content_hash) return { kind: 'other', received };
  if (reading.kind === 'refused') throw unreadable(entry, reading.problems[0]?.message ?? '');
  // A registry may serve a package under another version, such as that of an unreleased edit.
  return { kind: 'ok', artifact: { ...reading.artifact, version: entry.version } };
}

function toPackage({ id, layer }: CatalogEntry, files: readonly PackageFile[]): AuthoredPackage {
  const bytesOf = (name: string): Uint8Array | undefined =>
    files.find(({ path }) => path === name)?.bytes;
  return {
    id,
    layer,
    manifest: bytesOf(MANIFEST_FILE),
    skill: bytesOf(SKILL_FILE),
    resources: files
      .filter(({ path }) => path !== MANIFEST_FILE && path !== SKILL_FILE)
      .sort((a, b) => compareBytes(a.path, b.path)),
  };
}

export function hashMismatch(entry: CatalogEntry, received: string): CatalogError {
  const { id, version, content_hash } = entry;
  return new CatalogError(
    'materialize.content_hash_mismatch',
    `The content received for ${id} ${version} does not match the announced hash; nothing was written.`,
    { details: { artifact_id: id, version, expected: content_hash, received } },
  );
}

/** Creates the error for a verified package whose format this release does not know. */
function unreadable({ id, version }: CatalogEntry, problem: string): CatalogError {
  return new CatalogError(
    'ingest.invalid_artifact',
    `This release of catalog cannot read ${id} ${version}: ${problem}`,
    {
      details: { artifact_id: id, version },
      suggested_action: `Upgrade catalog, or leave it out with --exclude ${shellWord(id)}.`,
    },
  );
}
