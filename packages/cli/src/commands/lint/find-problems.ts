import { join } from 'node:path';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import { compareDiagnostics, type Diagnostic } from '@catalog/core/lint/diagnostic';
import { decideFolder, readFolder } from '@catalog/consumer/source/read-folder';
import { pathInside } from '../../output/places.ts';
import { layerRoot } from '../registry-folder.ts';
import type { LintScope } from './choose-scope.ts';

/** One finding and the file it is in. */
export interface Problem {
  diagnostic: Diagnostic;
  /** Absolute. */
  path: string;
}

export interface Findings {
  problems: Problem[];
  /** Packages that were looked at, in every layer. */
  artifacts: number;
}

/** Reads a folder exactly as a sync would and lists everything that stands against it (decision 48). */
export async function findProblems(scope: LintScope): Promise<Findings> {
  const reading = readFolder(scope.folder.path, scope.overlay);
  const { advisories, rejected } = await decideFolder(reading);
  const roots = new Map(
    reading.layers.map(({ layer, overlay }) => [
      layer,
      overlay === true ? (scope.overlay ?? '') : layerRoot(scope.folder, layer),
    ]),
  );
  const folders = reading.layers.flatMap((layer) => listPackages(layer, roots.get(layer.layer)));
  const shown = narrow(scope.within, folders);
  const diagnostics = [...advisories, ...rejected.flatMap((rejection) => rejection.diagnostics)];
  return {
    problems: diagnostics
      .sort(compareDiagnostics)
      .map((diagnostic) => ({
        diagnostic,
        path: join(roots.get(diagnostic.layer) ?? '', diagnostic.file),
      }))
      .filter(({ path }) => shown(path)),
    artifacts: folders.filter(shown).length,
  };
}

/** The folder of every package, also of those that could not be read whole. */
function listPackages({ packages, refused }: LayerSnapshot, root = ''): string[] {
  const ids = new Set([
    ...packages.map(({ id }) => id),
    ...refused.flatMap(({ artifact_id }) => artifact_id ?? []),
  ]);
  return [...ids].map((id) => join(root, id));
}

/** Whether a path is asked for; a file inside an artifact stands for the whole of it. */
function narrow(
  within: string | undefined,
  packages: readonly string[],
): (path: string) => boolean {
  if (within === undefined) return () => true;
  const owners = packages.filter((folder) => pathInside(folder, within) !== undefined);
  const owner = owners.toSorted((a, b) => b.length - a.length)[0] ?? within;
  return (path) => pathInside(owner, path) !== undefined;
}
