import { compareBytes } from '../artifact/compare-bytes.ts';
import { MAX_PATH_BYTES } from '../artifact/safe-path.ts';
import { compileGlobs, globProblem } from '../glob/glob.ts';
import { literalPrefix } from '../glob/literal-prefix.ts';
import { subtreeRanges, type PathRange } from '../text/path-ranges.ts';
import { isWithin } from '../text/slash-path.ts';
import type { LayerNumber } from '../ports/layer-number.ts';
import { pathAndAbove } from './domain-path.ts';
import type { DomainFields } from './read-domain.ts';

/** Maximum number of imports: any user with a layer can write `**`, which must not add a row for every artifact. */
export const MAX_IMPORTS = 10_000;

export interface ImportSearch {
  /** Patterns by the literal prefix that all their matches share. */
  prefixes: ReadonlyMap<string, readonly string[]>;
  /** Ranges of ids that contain all matches, in byte order. */
  ranges: PathRange[];
  finds: (id: string) => boolean;
}

/** Returns where to search for imports; undefined if no pattern can match. */
export function importSearch({
  include = [],
  exclude = [],
}: DomainFields): ImportSearch | undefined {
  const patterns = [...new Set(include)].filter(mayMatch);
  if (patterns.length === 0) return undefined;
  const prefixes = Map.groupBy(patterns, literalPrefix);
  const widest = [...prefixes.keys()].filter(
    (prefix) => ![...prefixes.keys()].some((other) => other !== prefix && isWithin(prefix, other)),
  );
  const isIncluded = compileGlobs(patterns, 'domain');
  const isExcluded = compileGlobs(exclude, 'domain');
  return {
    prefixes,
    ranges: widest
      .flatMap((prefix) => subtreeRanges(prefix, []))
      .sort((a, b) => compareBytes(a.from, b.from)),
    finds: (id) => isIncluded(id) && !isExcluded(id),
  };
}

function mayMatch(pattern: string): boolean {
  return (
    globProblem(pattern) === undefined &&
    Buffer.byteLength(literalPrefix(pattern)) <= MAX_PATH_BYTES
  );
}

export interface ImportGlobs {
  prefix: string;
  layer: LayerNumber;
  path: string;
  patterns: readonly string[];
  exclude: readonly string[];
  imports: number;
}

export interface ImportMatch {
  layer: LayerNumber;
  path: string;
  id: string;
}

/** Matches ids with patterns. `globs` must contain the patterns whose prefix is an ancestor of an id. */
export function matchImports(globs: readonly ImportGlobs[], ids: readonly string[]): ImportMatch[] {
  const files = new Map<string, ImportingFile>();
  const importers = globs.map((row) => {
    const key = `${row.layer} ${row.path}`;
    const file = files.get(key) ?? toImportingFile(row);
    files.set(key, file);
    return { prefix: row.prefix, file, isIncluded: compileGlobs(row.patterns, 'domain') };
  });
  const byPrefix = Map.groupBy(importers, ({ prefix }) => prefix);
  for (const id of ids) {
    for (const prefix of pathAndAbove(id)) {
      for (const { file, isIncluded } of byPrefix.get(prefix) ?? []) {
        const { found, room, isExcluded } = file;
        if (found.size < room && isIncluded(id) && !isExcluded(id)) found.add(id);
      }
    }
  }
  return [...files.values()].flatMap(({ layer, path, found }) =>
    [...found].map((id) => ({ layer, path, id })),
  );
}

interface ImportingFile {
  layer: LayerNumber;
  path: string;
  isExcluded: (id: string) => boolean;
  room: number;
  found: Set<string>;
}

function toImportingFile({ layer, path, exclude, imports }: ImportGlobs): ImportingFile {
  const room = Math.max(0, MAX_IMPORTS - imports);
  return { layer, path, isExcluded: compileGlobs(exclude, 'domain'), room, found: new Set() };
}
