import { readFolderRegistry } from '@catalog/core/node/read-folder-registry';
import { readLayer } from '@catalog/core/node/read-layer';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Returns the folder of a fixture, with `registry/` and possibly `overlay/`. */
export function fixtureFolder(name: string): string {
  return join(import.meta.dirname, '..', 'fixtures', name);
}

/** Loads the layers of a fixture, lowest precedence first, the overlay last. */
export function loadFixture(name: string): LayerSnapshot[] {
  const folder = fixtureFolder(name);
  const { layers } = readFolderRegistry(join(folder, 'registry'));
  const overlay = join(folder, 'overlay');
  if (!existsSync(overlay)) return layers;
  return [...layers, { ...readLayer(overlay, 'overlay').snapshot, overlay: true }];
}

/** Reads the files of a fixture by path; paths start with its name. */
export function readFixtureFiles(name: string): Map<string, Uint8Array> {
  const folder = fixtureFolder(name);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return new Map(files.map((file) => [join(name, relative(folder, file)), readFileSync(file)]));
}
