import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { readArtifact } from '@catalog/core/artifact/read-artifact';
import type { Artifact, PackageFile } from '@catalog/core/artifact/types';
import type { StoredArtifact } from '@catalog/core/ingest/stored-holder';
import type { StoreReads } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { VersionRecord } from '@catalog/core/ports/versions';
import { readFiles } from '../load/read-files.ts';
import type { Registry } from '../registry.ts';

export async function loadStoredArtifact(
  registry: Pick<Registry, 'objects'> & { store: StoreReads },
  tenant: Tenant,
  record: VersionRecord,
  layer: string,
): Promise<StoredArtifact> {
  const bytes = await readFiles(registry, tenant, record.files);
  const resources = record.files.map(({ path, executable, content_hash }): PackageFile => {
    const found = bytes.get(content_hash);
    if (found === undefined) throw missingBytes(record);
    return { path, executable, bytes: found };
  });
  return {
    artifact: readStored(record, layer, resources),
    ancestors: record.extends === null ? [] : record.extends.ancestors,
    is_refused: record.refusal !== null,
  };
}

/** Loads a stored manifest without its bundled files. */
export function readStoredText(record: VersionRecord, layer: string): Artifact {
  return readStored(record, layer, []);
}

function readStored(record: VersionRecord, layer: string, resources: PackageFile[]): Artifact {
  const encoder = new TextEncoder();
  const reading = readArtifact({
    id: record.id,
    layer,
    manifest: record.manifest === null ? undefined : encoder.encode(record.manifest),
    skill: record.skill === null ? undefined : encoder.encode(record.skill),
    resources,
  });
  if (reading.kind === 'refused') throw missingBytes(record);
  return { ...reading.artifact, version: record.version };
}

function missingBytes({ id, version }: VersionRecord): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    `The stored content of ${id}@${version} is missing.`,
  );
}
