import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OwnedPlace } from './owned-place.ts';
import { adapters } from './registry.ts';

/** File with every place that an adapter ever wrote to. Updating it only adds lines. */
const FILE = join(import.meta.dirname, 'released-places.txt');

function describePlace(place: OwnedPlace): string {
  const { into, path } = place;
  if (into !== 'entry') return `${into} ${path}`;
  return `${into} ${path} ${[...place.container, place.key].join(' > ')}`;
}

function listOwned(): string[] {
  return [...adapters].flatMap(([id, adapter]) => {
    const { user, user_on } = adapter;
    const scopes = [adapter, user, user_on?.darwin, user_on?.win32];
    return scopes
      .flatMap((one) => one?.ownedPlaces() ?? [])
      .map((place) => `${id}: ${describePlace(place)}`);
  });
}

test('adapters own every place that a release wrote to, including `former` places', () => {
  const released = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  const owned = new Set(listOwned());
  if (process.env['CATALOG_GOLDEN'] === 'write') {
    writeFileSync(FILE, `${[...new Set([...released, ...owned])].toSorted().join('\n')}\n`);
  }
  expect(released.filter((line) => !owned.has(line))).toEqual([]);
  if (process.env['CATALOG_GOLDEN'] !== 'write') {
    expect([...owned].filter((line) => !released.includes(line))).toEqual([]);
  }
});
