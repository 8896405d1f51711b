import { isUtf8 } from 'node:buffer';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import type {
  ArtifactRecord,
  BatchOkItem,
  BatchResource,
} from '@catalog/contract/records/artifact';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { ObjectDelivery } from '@catalog/core/ports/objects';
import type { StoredSignature } from '@catalog/core/ports/signatures';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { StoredFile, VersionRecord } from '@catalog/core/ports/versions';
import { toBundle } from '@catalog/core/signing/bundle';
import type { Registry } from '../registry.ts';
import type { ObjectUrls } from './object-urls.ts';
import { noSuchArtifact, type ResolvedArtifact } from './resolve-artifact.ts';

/** A version with the place that serves it. */
export interface ServedVersion {
  record: VersionRecord;
  layer: string;
  signature: StoredSignature | undefined;
}

type Served = Omit<ArtifactRecord, 'resources' | 'resources_base64' | 'large_resources'>;

/** Loads a version. Rejects one that must never be served (EXT-10). */
export async function loadVersion(
  { store }: Registry,
  tenant: Tenant,
  { layer, id, version }: ResolvedArtifact,
): Promise<VersionRecord> {
  const record = await store.versions.get(tenant, layer.number, id, version);
  if (record === undefined) throw noSuchArtifact(id);
  if (record.refusal !== null) {
    throw new CatalogError('registry.invalid_argument', record.refusal, {
      details: { constraint: 'names_parent' },
      suggested_action: 'Name the parent only under `extends`, without a merge key or an anchor.',
    });
  }
  return record;
}

export async function toArtifactRecord(
  served: ServedVersion,
  bytes: ReadonlyMap<string, Uint8Array>,
  addresses: ObjectUrls,
): Promise<ArtifactRecord> {
  const { record } = served;
  const inline = record.files.filter(isInline);
  const isBinary = inline.some(({ content_hash }) => !isUtf8(bytesOf(bytes, content_hash)));
  const encoding = isBinary ? 'base64' : 'utf8';
  const resources: Record<string, string> = Object.create(null);
  for (const { path, content_hash } of inline) {
    resources[path] = toText(bytesOf(bytes, content_hash), encoding);
  }
  const large: ArtifactRecord['large_resources'] = Object.create(null);
  for (const { path, content_hash, size } of record.files.filter((file) => !isInline(file))) {
    large[path] = {
      presigned_url: await addresses.of(content_hash, asFile(path)),
      content_hash,
      size,
    };
  }
  return {
    ...(await toServed(served, addresses)),
    resources,
    ...(isBinary ? { resources_base64: true } : {}),
    large_resources: large,
  };
}

/** Creates the item of an artifact in a batch (BATCH-06). */
export async function toBatchItem(
  served: ServedVersion,
  bytes: ReadonlyMap<string, Uint8Array>,
  addresses: ObjectUrls,
): Promise<BatchOkItem> {
  const resources: BatchResource[] = [];
  for (const file of served.record.files) {
    const { path, content_hash, size } = file;
    resources.push(
      isInline(file)
        ? { path, content_hash, size, ...toInline(bytesOf(bytes, content_hash)) }
        : {
            path,
            content_hash,
            size,
            presigned_url: await addresses.of(content_hash, asFile(path)),
          },
    );
  }
  return { ...(await toServed(served, addresses)), status: 'ok', resources };
}

/** Returns true up to the inline limit, inclusive (LIMIT-02). */
export function isInline({ size }: StoredFile): boolean {
  return size <= INLINE_CUTOFF_BYTES;
}

function toInline(bytes: Uint8Array): { inline: string; inline_base64?: true } {
  return isUtf8(bytes)
    ? { inline: toText(bytes, 'utf8') }
    : { inline: toText(bytes, 'base64'), inline_base64: true };
}

async function toServed(
  { record, layer, signature }: ServedVersion,
  addresses: ObjectUrls,
): Promise<Served> {
  const { id, type, version, content_hash, sensitivity, deprecated, replaced_by } = record;
  const executable = record.files.flatMap((file) => (file.executable ? [file.path] : []));
  return {
    id,
    type,
    version,
    content_hash,
    layer,
    deprecated,
    ...toManifestBody(await toServedText(record.manifest ?? '', 'ARTIFACT.md', addresses)),
    ...(record.skill === null
      ? {}
      : toSkillBody(await toServedText(record.skill, 'SKILL.md', addresses))),
    ...(executable.length === 0 ? {} : { executable }),
    ...(sensitivity === null ? {} : { sensitivity }),
    ...(replaced_by === null ? {} : { replaced_by }),
    ...(deprecated ? { deprecation_warning: warnDeprecated(record) } : {}),
    ...(signature === undefined ? {} : { signature: toBundle(signature) }),
  };
}

/** Text, or a URL for text above the inline limit (ART-06, SPEC-28). */
type ServedText =
  | { kind: 'inline'; text: string }
  | { kind: 'address'; url: string; hash: string; size: number };

async function toServedText(
  text: string,
  file_name: string,
  addresses: ObjectUrls,
): Promise<ServedText> {
  const size = Buffer.byteLength(text);
  if (size <= INLINE_CUTOFF_BYTES) return { kind: 'inline', text };
  const hash = bytesHash(text);
  const media_type = 'text/markdown; charset=utf-8';
  return { kind: 'address', url: await addresses.of(hash, { file_name, media_type }), hash, size };
}

function toManifestBody(manifest: ServedText): Partial<Served> {
  if (manifest.kind === 'inline') return { manifest_body: manifest.text };
  const { url, hash, size } = manifest;
  return { manifest_body_url: url, manifest_body_hash: hash, manifest_body_size: size };
}

function toSkillBody(skill: ServedText): Partial<Served> {
  if (skill.kind === 'inline') return { skill_body: skill.text };
  const { url, hash, size } = skill;
  return { skill_body_url: url, skill_body_hash: hash, skill_body_size: size };
}

/** Describes how a file is delivered, without guessing its media type. */
function asFile(path: string): ObjectDelivery {
  return { file_name: path, media_type: 'application/octet-stream' };
}

function warnDeprecated({ id, version, replaced_by }: VersionRecord): string {
  const successor = replaced_by === null ? '' : ` Use ${replaced_by} instead.`;
  return `${id} ${version} is deprecated.${successor}`;
}

function bytesOf(bytes: ReadonlyMap<string, Uint8Array>, content_hash: string): Uint8Array {
  const found = bytes.get(content_hash);
  if (found === undefined) throw new Error(`${content_hash} was not read`);
  return found;
}

function toText(bytes: Uint8Array, encoding: 'utf8' | 'base64'): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
}
