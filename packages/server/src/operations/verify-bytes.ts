import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import { hashPackage } from '@catalog/core/artifact/read-artifact';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { DamagedObject } from '@catalog/core/artifact/damaged-object';
import { listObjects } from '@catalog/core/ingest/list-objects';
import type { ArchiveRows } from '@catalog/core/ports/archive';
import type { Objects } from '@catalog/core/ports/objects';
import type { StoreSnapshot } from '@catalog/core/ports/store-snapshot';
import type { Tenant } from '@catalog/core/ports/tenant';
import { inGroups } from './in-groups.ts';
import type { FindingKind } from './verify-findings.ts';

type Version = ArchiveRows['versions'];

export interface ByteFinding {
  kind: Extract<FindingKind, 'bytes-missing' | 'bytes-differ' | 'content-hash-differs'>;
  message: string;
}

export interface ByteStores {
  snapshot: StoreSnapshot;
  objects: Objects;
  signal: AbortSignal;
}

const READ_AT_ONCE = { items: 1000, bytes: 32 * 1024 * 1024 };

export function groupsOf(versions: readonly Version[]): Iterable<Version[]> {
  const sizeOf = ({ files }: Version): number => files.reduce((sum, { size }) => sum + size, 0);
  return inGroups(versions, sizeOf, READ_AT_ONCE);
}

export async function checkBytes(
  tenant: Tenant,
  versions: readonly Version[],
  stores: ByteStores,
): Promise<ReadonlyMap<Version, ByteFinding[]>> {
  const blobs = await stores.snapshot.reads.versions.readBlobs(tenant, inlineHashes(versions));
  return each(versions, async (version) => {
    const findings: ByteFinding[] = [];
    const large = new Map<string, Uint8Array>();
    for (const { content_hash, size } of listObjects(version)) {
      const bytes = await readObject(tenant, content_hash, stores, findings);
      if (bytes === undefined) continue;
      if (bytes.length === size) large.set(content_hash, bytes);
      else findings.push(wrongSize(content_hash, bytes.length, size));
    }
    const resources = version.files.flatMap(({ path, content_hash, executable, size }) => {
      const bytes = large.get(content_hash) ?? blobs.get(content_hash);
      if (bytes === undefined) {
        if (size <= INLINE_CUTOFF_BYTES) findings.push(missing(content_hash, path));
        return [];
      }
      if (bytes.length !== size || bytesHash(bytes) !== content_hash) {
        findings.push({
          kind: 'bytes-differ',
          message: `${path} does not match ${content_hash}.`,
        });
      }
      return [{ path, bytes, executable }];
    });
    if (findings.length === 0 && hashOf(version, resources) !== version.content_hash) {
      const message = `Its content does not match the hash ${version.content_hash}.`;
      findings.push({ kind: 'content-hash-differs', message });
    }
    return findings;
  });
}

export async function checkSizes(
  tenant: Tenant,
  versions: readonly Version[],
  { snapshot, objects, signal }: ByteStores,
): Promise<ReadonlyMap<Version, ByteFinding[]>> {
  const blobs = await snapshot.readBlobSizes(tenant, inlineHashes(versions));
  return each(versions, async (version) => {
    const findings: ByteFinding[] = [];
    for (const { content_hash, size } of listObjects(version)) {
      const found = await objects.size(tenant, content_hash, signal);
      if (found === undefined) findings.push(missing(content_hash));
      else if (found !== size) findings.push(wrongSize(content_hash, found, size));
    }
    for (const { path, content_hash, size } of version.files) {
      if (size > INLINE_CUTOFF_BYTES) continue;
      const found = blobs.get(content_hash);
      if (found === undefined) findings.push(missing(content_hash, path));
      else if (found !== size) findings.push(wrongSize(content_hash, found, size));
    }
    return findings;
  });
}

const AT_ONCE = 8;

async function each(
  versions: readonly Version[],
  check: (version: Version) => Promise<ByteFinding[]>,
): Promise<ReadonlyMap<Version, ByteFinding[]>> {
  const found = new Map<Version, ByteFinding[]>();
  for (let start = 0; start < versions.length; start += AT_ONCE) {
    const some = versions.slice(start, start + AT_ONCE);
    const findings = await Promise.all(some.map(check));
    some.forEach((version, index) => found.set(version, findings[index] ?? []));
  }
  return found;
}

async function readObject(
  tenant: Tenant,
  content_hash: string,
  { objects, signal }: ByteStores,
  findings: ByteFinding[],
): Promise<Uint8Array | undefined> {
  const object = await objects.open(tenant, content_hash, signal);
  if (object === undefined) {
    findings.push(missing(content_hash));
    return undefined;
  }
  try {
    return await new Response(object.stream).bytes();
  } catch (error) {
    // The content of an unavailable store is unknown.
    if (!(error instanceof DamagedObject)) throw error;
    const message = `The object ${content_hash} does not match its hash.`;
    findings.push({ kind: 'bytes-differ', message });
    return undefined;
  }
}

function hashOf(
  { manifest, skill }: Version,
  resources: { path: string; bytes: Uint8Array; executable: boolean }[],
): string {
  const encoder = new TextEncoder();
  return hashPackage({
    manifest: manifest === null ? undefined : encoder.encode(manifest),
    skill: skill === null ? undefined : encoder.encode(skill),
    resources,
  });
}

function inlineHashes(versions: readonly Version[]): string[] {
  const files = versions.flatMap((version) => version.files);
  const inline = files.filter(({ size }) => size <= INLINE_CUTOFF_BYTES);
  return [...new Set(inline.map(({ content_hash }) => content_hash))];
}

function missing(content_hash: string, path?: string): ByteFinding {
  const what = path === undefined ? `The object ${content_hash}` : `${path} (${content_hash})`;
  return { kind: 'bytes-missing', message: `${what} is missing.` };
}

function wrongSize(content_hash: string, found: number, size: number): ByteFinding {
  const message = `${content_hash} has ${found} bytes instead of ${size}.`;
  return { kind: 'bytes-differ', message };
}
