import type { HarnessAdapter } from '../adapter.ts';
import type { OwnedPlace } from '../owned-place.ts';
import { findFormats } from './find-format.ts';
import type { Components, MarketplaceFormat, Moved } from './format.ts';
import { HOOK_FILES, movePath } from './place-component.ts';

const PROBE = 'probe';

/** Returns all places of a marketplace, whose plugins can have any name. Undefined if a harness is unknown. */
export function marketplacePlaces(
  harnesses: readonly string[],
  known: ReadonlyMap<string, HarnessAdapter>,
): OwnedPlace[] | undefined {
  try {
    return findFormats(harnesses, known).formats.flatMap(({ format }) => {
      const landing = format.landing === undefined ? undefined : known.get(format.landing);
      return placesOf(format, landing?.ownedPlaces() ?? []);
    });
  } catch {
    return undefined;
  }
}

function placesOf(format: MarketplaceFormat, landing: readonly OwnedPlace[]): OwnedPlace[] {
  const folder = format.plugins === 'many' ? `${format.id}/{any}/` : '';
  const inPlugin = componentPlaces(format.components, landing).map((place) => ({
    ...place,
    path: folder + place.path,
  }));
  // catalog owns all files of a marketplace, including those made of entries.
  const files = inPlugin.map((place): OwnedPlace => {
    const { into, path } = place;
    return into === 'entry' || into === 'block' ? { into: 'document', path } : place;
  });
  const documents = documentPaths(
    format,
    files.map(({ path }) => path),
  );
  return [...files, ...documents.map((path): OwnedPlace => ({ into: 'document', path }))];
}

function componentPlaces(
  { skill, ...others }: Components,
  landing: readonly OwnedPlace[],
): OwnedPlace[] {
  return [
    { into: 'folder', path: `${skill.folder}/{name}` },
    ...Object.values(others).flatMap((component): OwnedPlace[] => {
      if (component === 'skill') return [];
      if ('entry' in component) return [{ into: 'document', path: component.to }];
      return movedPlaces(component, landing);
    }),
  ];
}

function movedPlaces(moved: Moved, landing: readonly OwnedPlace[]): OwnedPlace[] {
  return landing.flatMap((place) => {
    if (place.path.startsWith(HOOK_FILES)) return [place];
    const path = movePath(place.path, moved);
    return path === undefined ? [] : [{ ...place, path }];
  });
}

function documentPaths(format: MarketplaceFormat, files: readonly string[]): string[] {
  const about = { name: PROBE, description: PROBE, version: '0.0.0' };
  const folder = format.plugins === 'many' ? `${format.id}/${PROBE}/` : '';
  const present = files.map((path) => path.replace('{any}', PROBE));
  const paths = [[], present].flatMap((held) => {
    const plugin = { ...about, folder, paths: new Set(held), skills: [PROBE] };
    return format.documents({ ...about, plugins: [plugin] }).map(({ path }) => path);
  });
  return [...new Set(paths)].map((path) =>
    folder !== '' && path.startsWith(folder)
      ? `${format.id}/{any}/${path.slice(folder.length)}`
      : path,
  );
}
