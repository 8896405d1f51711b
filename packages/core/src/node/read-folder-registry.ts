import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { compareBytes } from '../artifact/compare-bytes.ts';
import { readRegistryConfig } from '../layer/read-registry-config.ts';
import type { LayerSnapshot } from '../layer/types.ts';
import { getFingerprint } from './fingerprint.ts';
import { readConfigText } from './read-config-text.ts';
import { statLayer, readLayer, type FingerprintedEntry } from './read-layer.ts';

const CONFIG_FILE = '.registry-config';
const MANIFEST_NAMES = ['ARTIFACT.md', 'SKILL.md', 'DOMAIN.md'];

export interface FolderReading {
  /** Layers, lowest precedence first. */
  layers: LayerSnapshot[];
  /** All entries that were read, with paths relative to the registry. */
  seen: FingerprintedEntry[];
}

export interface LayerFolder {
  name: string;
  root: string;
  prefix: string;
}

/** Reads a folder as a registry: one layer, or one per subdirectory if `.registry-config` sets `multi_layer`. */
export function readFolderRegistry(path: string): FolderReading {
  const folders = listLayerFolders(path);
  const layers: LayerSnapshot[] = [];
  const seen: FingerprintedEntry[] = [statConfig(path)];
  for (const folder of folders) {
    const reading = readLayer(folder.root, folder.name);
    layers.push(reading.snapshot);
    append(seen, folder.prefix, reading.seen);
  }
  rejectArtifactAsRegistry(path, layers);
  return { layers, seen };
}

/**
 * Returns the fingerprints of everything that `readFolderRegistry` reads, in the same order. Opens only the
 * configuration.
 */
export function statFolderRegistry(path: string): FingerprintedEntry[] {
  const folders = listLayerFolders(path);
  const seen: FingerprintedEntry[] = [statConfig(path)];
  for (const folder of folders) {
    append(seen, folder.prefix, statLayer(folder.root));
  }
  return seen;
}

function statConfig(path: string): FingerprintedEntry {
  return { path: CONFIG_FILE, fingerprint: getFingerprint(`${path}/${CONFIG_FILE}`) };
}

function append(
  all: FingerprintedEntry[],
  prefix: string,
  seen: readonly FingerprintedEntry[],
): void {
  for (const entry of seen) {
    all.push(prefix === '' ? entry : { ...entry, path: prefix + entry.path });
  }
}

export function listLayerFolders(path: string): LayerFolder[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) {
    throw new CatalogError(
      'config.no_registry',
      stats === undefined
        ? `The registry folder \`${path}\` does not exist.`
        : `The registry ${path} is a file, not a folder.`,
      {
        details: { registry: path },
        suggested_action:
          'Check the path. To create the folder with a first skill, run `catalog artifact new skill <id>` with the same --registry.',
      },
    );
  }
  const config = loadConfig(path);
  if (!config.multi_layer) return [{ name: basename(resolve(path)), root: path, prefix: '' }];
  rejectTopLevelManifests(path);
  return orderLayers(path, config.layer_order);
}

function loadConfig(path: string): { multi_layer: boolean; layer_order: string[] } {
  const file = `${path}/${CONFIG_FILE}`;
  const text = readConfigText(file, false, {
    unreadable: 'Make it a readable file, or remove it.',
  });
  if (text === undefined) return { multi_layer: false, layer_order: [] };
  return readRegistryConfig(text, file);
}

/** Rejects a folder that is a single artifact: the user probably means its parent. */
function rejectArtifactAsRegistry(path: string, layers: readonly LayerSnapshot[]): void {
  const ids = layers.flatMap(({ packages }) => packages.map(({ id }) => id));
  if (ids.length !== 1 || ids[0] !== '') return;
  throw new CatalogError(
    'config.no_registry',
    `${path} is itself an artifact; a registry is the folder that contains artifacts.`,
    {
      details: { registry: path },
      suggested_action: `Use the parent folder: --registry ${dirname(resolve(path))}`,
    },
  );
}

function rejectTopLevelManifests(path: string): void {
  const found = MANIFEST_NAMES.filter((name) => existsSync(`${path}/${name}`));
  if (found.length === 0) return;
  throw new CatalogError(
    'config.layer_path_ambiguous',
    `${path} sets multi_layer: true, so each subfolder is a layer, but ${found.join(' and ')} is at the top level.`,
    { details: { path, found } },
  );
}

/** Orders layers as listed, then the others by name, lowest precedence first. */
function orderLayers(path: string, order: readonly string[]): LayerFolder[] {
  const names = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort(compareBytes);
  const missing = order.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    throw new CatalogError(
      'config.invalid',
      `${path}/${CONFIG_FILE} lists layers that do not exist: ${missing.join(', ')}.`,
      { details: { missing, layers: names } },
    );
  }
  const listed = new Set(order);
  return [...listed, ...names.filter((name) => !listed.has(name))].map((name) => ({
    name,
    root: `${path}/${name}`,
    prefix: `${name}/`,
  }));
}
