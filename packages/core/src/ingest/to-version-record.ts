import { bytesHash } from '../artifact/content-hash.ts';
import { parseReference } from '../artifact/reference.ts';
import type { Artifact, Manifest, McpServerField } from '../artifact/types.ts';
import type { Edge, StoredExtends, VersionRecord } from '../ports/versions.ts';
import type { LayerNumber } from '../ports/layer-number.ts';
import type { Accepted } from './decide-entries.ts';

export interface VersionPlace {
  layer: LayerNumber;
  version: string;
  ingested_at: string;
  /** Layer of the parent; undefined without `extends`. */
  parent_layer: LayerNumber | undefined;
  /** Git commit; null for a folder. */
  source_commit: string | null;
}

export type NewVersion = Omit<VersionRecord, 'ingest_order'>;

export function toVersionRecord(accepted: Accepted, place: VersionPlace): NewVersion {
  const { artifact, parent, ancestors, refusal } = accepted;
  const { id, type, name, description, fields, content_hash } = artifact;
  const { layer, version, ingested_at, parent_layer, source_commit } = place;
  return {
    layer,
    id,
    version,
    type,
    name,
    description,
    when_to_use: fields.when_to_use ?? [],
    tags: fields.tags ?? [],
    sensitivity: fields.sensitivity ?? null,
    search_visibility: fields.search_visibility ?? 'indexed',
    deprecated: fields.deprecated === true,
    replaced_by: fields.replaced_by ?? null,
    content_hash,
    authored_hash: accepted.entry.artifact.authored_hash,
    ingested_at,
    manifest: artifact.manifest?.text ?? null,
    skill: artifact.skill?.text ?? null,
    files: artifact.resources.map(({ path, bytes, executable }) => ({
      path,
      content_hash: bytesHash(bytes),
      size: bytes.length,
      executable,
    })),
    extends:
      parent === undefined || parent_layer === undefined
        ? null
        : { id: parent.id, version: parent.version, layer: parent_layer, ancestors },
    frontmatter: refusal === undefined ? toBlock(artifact.manifest ?? artifact.skill) : null,
    refusal: refusal?.message ?? null,
    source_commit,
  };
}

function toBlock(manifest: Manifest | undefined): string | null {
  if (manifest === undefined) return null;
  return manifest.text.slice(0, manifest.text.length - manifest.body.length);
}

/**
 * Returns the references of an artifact, each once. A server is identified by its command or URL until it is resolved.
 */
export function edgesOf(
  { id, fields }: Artifact,
  parent: Pick<StoredExtends, 'id' | 'version'> | undefined,
  serverOf: (identifier: string) => string | undefined,
): Edge[] {
  const edges = new Map<string, Edge>();
  const add = (to: string | undefined, kind: Edge['kind'], to_version: string | null): void => {
    if (to !== undefined) edges.set(`${kind} ${to}`, { from: id, to, kind, to_version });
  };
  if (parent !== undefined) add(parent.id, 'extends', parent.version);
  for (const reference of fields.delegates_to ?? []) add(idOf(reference), 'delegates_to', null);
  for (const server of fields.mcpServers ?? []) {
    add(serverOf(identifierOf(server)), 'mcpServers', null);
  }
  return [...edges.values()];
}

function idOf(reference: string): string | undefined {
  try {
    return parseReference(reference).id;
  } catch {
    return undefined; // reported by lint
  }
}

/**
 * Returns the identifier of a server in an agent: `<command>:<first argument that is not a flag>`, or its transport.
 */
export function identifierOf({ command, args, transport }: McpServerField): string {
  if (command === undefined || command === '') return transport ?? '';
  const subject = args?.find((argument) => !argument.startsWith('-'));
  return subject === undefined ? command : `${command}:${subject}`;
}
