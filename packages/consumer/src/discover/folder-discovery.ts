import { isUtf8 } from 'node:buffer';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import type { Artifact } from '@catalog/core/artifact/types';
import { describeLineage, type ChainLink } from '@catalog/core/extends/field-origins';
import type { DecidedCatalog } from '@catalog/core/ingest/types';
import { nearest } from '@catalog/core/text/nearest';
import { matchesPin, parsePin } from '@catalog/core/version/pin';
import { effectiveView } from '@catalog/core/view/effective-view';
import { decideFolder, readFolder } from '../source/read-folder.ts';
import type { Discovery } from './discovery.ts';
import { mapInMemory } from './map-in-memory.ts';
import { searchInMemory } from './search-in-memory.ts';

interface ResolvedFolder {
  decided: DecidedCatalog;
  /** Layers, lowest precedence first. */
  layers: string[];
  view: Artifact[];
}

export function openFolderDiscovery(path: string): Discovery {
  let reading: Promise<ResolvedFolder> | undefined;
  const read = (): Promise<ResolvedFolder> => (reading ??= readResolvedFolder(path));

  return {
    searchArtifacts: async (input) => {
      const { decided, layers } = await read();
      const held = Map.groupBy(decided.artifacts, ({ layer }) => layer);
      return searchInMemory(
        layers.map((name) => ({ name, artifacts: held.get(name) ?? [] })),
        input,
      );
    },
    loadDomain: async (input) => {
      const { decided, view } = await read();
      return mapInMemory({ artifacts: view, domains: decided.domains }, input);
    },
    loadArtifact: async (input) => toRecord(findArtifact(await read(), input)),
    loadLineage: async (input) => {
      const folder_catalog = await read();
      const artifact = findArtifact(folder_catalog, input);
      const parents = listParents(folder_catalog.decided, artifact);
      return describeLineage(toChainLink(artifact), parents.map(toChainLink));
    },
    listVersions: async ({ id }) => {
      const { decided, view } = await read();
      const holders = decided.artifacts.filter((artifact) => artifact.id === id).reverse();
      const winner = view.find((artifact) => artifact.id === id);
      if (winner === undefined) throw noSuchArtifact(id, '', view);
      return {
        id,
        // A folder has no history and no times of ingests.
        versions: holders.map((artifact) => ({
          version: artifact.version,
          layer: artifact.layer,
          content_hash: artifact.content_hash,
          deprecated: artifact.fields.deprecated === true,
          withdrawn: false,
          latest: artifact === winner,
          ingested_at: '',
        })),
      };
    },
  };
}

/** Finds the version that a load returns. An exact pin also finds versions in lower layers (SPEC-21). */
function findArtifact(
  { decided, view }: ResolvedFolder,
  { id, version = '', layer = '' }: { id: string; version?: string; layer?: string },
): Artifact {
  const pin = parsePin(version);
  const isInLayer = (artifact: Artifact): boolean => layer === '' || artifact.layer === layer;
  const winner = view.find((artifact) => artifact.id === id && isInLayer(artifact));
  const holders = decided.artifacts.filter((artifact) => artifact.id === id).reverse();
  const found =
    pin.kind === 'latest'
      ? winner
      : holders.find((artifact) => isInLayer(artifact) && matchesPin(pin, artifact));
  if (found === undefined) throw noSuchArtifact(id, version, view);
  return found;
}

function toChainLink({ id, version, layer, manifest, skill }: Artifact): ChainLink {
  return {
    place: { id, version, layer },
    texts: { manifest: manifest?.text ?? null, skill: skill?.text ?? null },
  };
}

function listParents(decided: DecidedCatalog, artifact: Artifact): Artifact[] {
  const { artifacts, parents } = decided;
  const parent = parents.get(artifact);
  const next = artifacts.find(({ id, layer }) => id === parent?.id && layer === parent.layer);
  return next === undefined ? [] : [next, ...listParents(decided, next)];
}

async function readResolvedFolder(path: string): Promise<ResolvedFolder> {
  const reading = readFolder(path, undefined);
  const decided = await decideFolder(reading);
  const layers = reading.layers.map(({ layer }) => layer);
  return { decided, layers, view: effectiveView(decided.artifacts, layers) };
}

function toRecord(artifact: Artifact): ArtifactRecord {
  const { id, type, version, layer, content_hash, fields, manifest, skill, resources } = artifact;
  const isBinary = resources.some(({ bytes }) => !isUtf8(bytes));
  const executable = resources.filter((file) => file.executable).map((file) => file.path);
  return {
    id,
    type,
    version,
    content_hash,
    layer,
    manifest_body: manifest?.text ?? '',
    ...(skill === undefined ? {} : { skill_body: skill.text }),
    ...(executable.length === 0 ? {} : { executable }),
    ...(fields.sensitivity === undefined ? {} : { sensitivity: fields.sensitivity }),
    deprecated: fields.deprecated === true,
    ...(fields.replaced_by === undefined ? {} : { replaced_by: fields.replaced_by }),
    resources: Object.fromEntries(
      resources.map(({ path, bytes }) => [
        path,
        Buffer.from(bytes).toString(isBinary ? 'base64' : 'utf8'),
      ]),
    ),
    ...(isBinary ? { resources_base64: true } : {}),
    large_resources: {},
  };
}

function noSuchArtifact(id: string, version: string, view: readonly Artifact[]): CatalogError {
  const near = nearest(
    id,
    view.map((artifact) => artifact.id),
  );
  const known = view.some((artifact) => artifact.id === id);
  return new CatalogError(
    'registry.not_found',
    known
      ? `Version ${version} of ${id} does not exist in this registry.`
      : `Artifact not found in this registry: ${id}.`,
    {
      details: { id },
      suggested_action: known
        ? `Run \`catalog show ${id} --versions\` to list its versions.`
        : near === undefined
          ? 'Run `catalog search` to find artifacts.'
          : `Did you mean ${near}?`,
    },
  );
}
