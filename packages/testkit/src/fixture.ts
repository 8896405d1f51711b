import { readFolderRegistry } from '@catalog/core/node/read-folder-registry';
import { readLayer } from '@catalog/core/node/read-layer';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Where the authored files of a fixture lie: `registry/`, and `overlay/` where it has one. */
export function fixtureFolder(name: string): string {
  return join(import.meta.dirname, '..', 'fixtures', name);
}

/** The layers of a fixture, lowest precedence first, its overlay last. */
export function loadFixture(name: string): LayerSnapshot[] {
  const folder = fixtureFolder(name);
  const { layers } = readFolderRegistry(join(folder, 'registry'));
  const overlay = join(folder, 'overlay');
  if (!existsSync(overlay)) return layers;
  return [...layers, { ...readLayer(overlay, 'overlay').snapshot, overlay: true }];
}

/** The authored files of a fixture by their path, which starts with its name; in order of path. */
export function readFixtureFiles(name: string): Map<string, Uint8Array> {
  const folder = fixtureFolder(name);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return new Map(files.map((file) => [join(name, relative(folder, file)), readFileSync(file)]));
}
