import { join } from 'node:path';
import type { DecidedCatalog } from '@catalog/core/ingest/types';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import { compareDiagnostics, type Diagnostic } from '@catalog/core/lint/diagnostic';
import { TRIGGERS_FILE } from '@catalog/core/triggers/read-triggers';
import { decideFolder, readFolder, type FolderReading } from '@catalog/consumer/source/read-folder';
import { pathInside } from '../../output/places.ts';
import { layerRoot } from '../registry-folder.ts';
import type { LintScope } from './choose-scope.ts';

export interface Findings {
  diagnostics: Diagnostic[];
  artifacts: number;
  /** Folders of layers, to which `file` is relative. */
  roots: ReadonlyMap<string, string>;
}

/** Finds problems in a folder, read as by a sync (SPEC-48). */
export async function findProblems(scope: LintScope): Promise<Findings> {
  const reading = readFolder(scope.folder.path, scope.overlay);
  const decided = await decideFolder(reading);
  const roots = listRoots(reading, scope);
  const packages = reading.layers.flatMap((layer) => listPackages(layer, roots));
  const isInScope = narrowTo(scope.within, packages);
  const all = [
    ...decided.advisories,
    ...decided.rejected.flatMap(({ diagnostics }) => diagnostics),
    ...(await findMissedTriggers(reading, decided)),
  ];
  return {
    diagnostics: all
      .filter((diagnostic) => isInScope(pathOfFinding(diagnostic, roots)))
      .sort(compareDiagnostics),
    artifacts: packages.filter(isInScope).length,
    roots,
  };
}

async function findMissedTriggers(
  { layers }: FolderReading,
  decided: DecidedCatalog,
): Promise<Diagnostic[]> {
  const files = layers.flatMap(({ packages }) => packages.flatMap(({ resources }) => resources));
  if (!files.some(({ path }) => path === TRIGGERS_FILE)) return [];
  const [{ tryTriggers }, { lintTriggers }, { TRIGGER_DEPTH }] = await Promise.all([
    import('@catalog/consumer/discover/try-triggers'),
    import('@catalog/core/lint/lint-triggers'),
    import('@catalog/core/triggers/judge-trigger'),
  ]);
  const { tested } = await tryTriggers({ layers, decided }, TRIGGER_DEPTH);
  return lintTriggers(tested);
}

export function listRoots({ layers }: FolderReading, scope: LintScope): Findings['roots'] {
  return new Map(
    layers.map(({ layer, overlay }) => [
      layer,
      overlay === true ? (scope.overlay ?? '') : layerRoot(scope.folder, layer),
    ]),
  );
}

export function pathOfFinding({ layer, file }: Diagnostic, roots: Findings['roots']): string {
  return join(roots.get(layer) ?? '', file);
}

export function listPackages(
  { layer, packages, refused }: LayerSnapshot,
  roots: Findings['roots'],
): string[] {
  const ids = new Set([
    ...packages.map(({ id }) => id),
    ...refused.flatMap(({ artifact_id }) => artifact_id ?? []),
  ]);
  return [...ids].map((id) => join(roots.get(layer) ?? '', id));
}

/** Limits findings to a path. A file inside an artifact selects the whole artifact. */
export function narrowTo(
  within: string | undefined,
  packages: readonly string[],
): (path: string) => boolean {
  if (within === undefined) return () => true;
  const holders = packages.filter((folder) => pathInside(folder, within) !== undefined);
  const [nearest] = holders.toSorted((a, b) => b.length - a.length);
  return (path) => pathInside(nearest ?? within, path) !== undefined;
}
