import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue } from '@catalog/contract/errors/catalogue';
import type { Rejection } from '@catalog/core/ingest/decide-snapshots';
import { compareDiagnostics, type Diagnostic } from '@catalog/core/lint/diagnostic';
import { openFolderSource } from '@catalog/consumer/source/folder-source';
import { layerRoot, type RegistryFolder } from '../registry-folder.ts';

export interface Findings {
  diagnostics: Diagnostic[];
  /** Artifacts that were looked at. */
  artifacts: number;
}

/** Reads a folder exactly as a sync would and lists everything that stands against it (decision 48). */
export async function findProblems(folder: RegistryFolder, signal: AbortSignal): Promise<Findings> {
  const { entries, rejected, advisories } = await openFolderSource(folder.path, undefined).list(
    signal,
  );
  const diagnostics = [
    ...advisories,
    ...rejected.flatMap((rejection) => [
      ...rejection.diagnostics,
      ...statedNowhere(rejection, folder),
    ]),
  ];
  return {
    diagnostics: diagnostics.sort(compareDiagnostics),
    artifacts: entries.length + new Set(rejected.map(({ artifact_id }) => artifact_id)).size,
  };
}

/** Reasons that are about an artifact as a whole (a collision, a parent, a link) have no finding of their own. */
function statedNowhere(rejection: Rejection, folder: RegistryFolder): Diagnostic[] {
  const { diagnostics, artifact_id, layer, code, reason } = rejection;
  if (diagnostics.some(({ severity }) => severity === 'error')) return [];
  return [
    {
      code,
      severity: 'error',
      message: reason,
      fix: errorCatalogue[code].suggested_action,
      artifact_id,
      layer,
      file: manifestOf(artifact_id, layerRoot(folder, layer)),
      line: 1,
      column: 1,
    },
  ];
}

function manifestOf(id: string, root: string): string {
  const names = ['ARTIFACT.md', 'SKILL.md'].map((name) => join(id, name));
  return names.find((name) => existsSync(join(root, name))) ?? id;
}
