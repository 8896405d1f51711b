import { compareBytes } from '../artifact/compare-bytes.ts';
import { idProblem } from '../artifact/reference.ts';
import { readArtifact } from '../artifact/read-artifact.ts';
import type { Artifact, AuthoredPackage } from '../artifact/types.ts';
import { readDomain, type Domain } from '../domain/read-domain.ts';
import type { AuthoredDomain, LayerSnapshot, RefusedEntry } from '../layer/types.ts';
import type { Diagnostic } from '../lint/diagnostic.ts';
import { diagnose } from '../manifest/diagnose.ts';
import { WHOLE_FILE } from '../manifest/position.ts';
import type { Rejection } from './types.ts';

export interface Entry {
  artifact: Artifact;
  /** Findings of the parser. An error among them is final. */
  diagnostics: Diagnostic[];
  rank: number;
  overlay: boolean;
}

export interface SnapshotReading {
  entries: Entry[];
  domains: Domain[];
  rejected: Rejection[];
}

/** Parses the artifacts of several layers. An unreadable artifact does not affect others (SPEC-22). */
export function readSnapshots(snapshots: readonly LayerSnapshot[]): SnapshotReading {
  const reading: SnapshotReading = { entries: [], domains: [], rejected: [] };
  for (const [rank, snapshot] of snapshots.entries()) readSnapshot(snapshot, rank, reading);
  return reading;
}

function readSnapshot(snapshot: LayerSnapshot, rank: number, into: SnapshotReading): void {
  const { layer, overlay = false } = snapshot;
  const incomplete = new Set<string>();
  for (const refused of snapshot.refused) {
    into.rejected.push(rejectRefused(refused, layer));
    if (refused.artifact_id !== undefined) incomplete.add(refused.artifact_id);
  }
  // Sorted, so that decisions do not depend on the order of reading.
  for (const pkg of snapshot.packages.toSorted((a, b) => compareBytes(a.id, b.id))) {
    if (incomplete.has(pkg.id)) continue;
    const reading = readPackage(pkg);
    if (reading.kind === 'rejected') into.rejected.push(reading.rejection);
    else into.entries.push({ ...reading, rank, overlay });
  }
  for (const domain of snapshot.domains) readDomainInto(domain, layer, into);
}

type PackageReading =
  | { kind: 'ok'; artifact: Artifact; diagnostics: Diagnostic[] }
  | { kind: 'rejected'; rejection: Rejection };

function readPackage(pkg: AuthoredPackage): PackageReading {
  const { id, layer } = pkg;
  const problem = idProblem(id);
  if (problem !== undefined) return { kind: 'rejected', rejection: rejectId(pkg, problem) };
  const reading = readArtifact(pkg);
  if (reading.kind === 'ok') return reading;
  const { problems } = reading;
  const reason = problems.map(({ message }) => message).join(' ');
  const code = 'ingest.invalid_artifact';
  const isSkill = pkg.manifest === undefined && pkg.skill !== undefined;
  return {
    kind: 'rejected',
    rejection: {
      artifact_id: id,
      layer,
      ...(isSkill ? { type: 'skill' } : {}),
      code,
      reason,
      diagnostics: problems,
    },
  };
}

/** Rejects a package at the root of a layer, which has no id, by its file name. */
function rejectId({ id, layer, manifest }: AuthoredPackage, problem: string): Rejection {
  const name = manifest === undefined ? 'SKILL.md' : 'ARTIFACT.md';
  const [message, fix] =
    id === ''
      ? [
          'A package cannot be at the root of a layer, because it would have no id.',
          'Move it into its own folder, or use the parent folder as the registry.',
        ]
      : [`The folder name is not valid in an id: it ${problem}.`, 'Rename the folder.'];
  return rejectFile({
    artifact_id: id === '' ? name : id,
    layer,
    code: 'ingest.invalid_artifact',
    file: id === '' ? name : `${id}/${name}`,
    message,
    fix,
  });
}

/** Rejects a package with an invalid file, because packages are served completely or not at all. */
function rejectRefused(
  { path, code, reason, artifact_id }: RefusedEntry,
  layer: string,
): Rejection {
  return rejectFile({
    artifact_id: artifact_id ?? path,
    layer,
    code,
    file: path,
    message: `${path} ${reason}.`,
    fix: 'Make it a regular, readable file with a unique name, or remove it.',
  });
}

interface FileProblem extends Pick<Rejection, 'artifact_id' | 'layer' | 'code'> {
  file: string;
  message: string;
  fix: string;
}

/** Rejects a file because of its name or type, not its content. */
function rejectFile({ artifact_id, layer, code, file, message, fix }: FileProblem): Rejection {
  const place = { file, artifact_id, layer };
  const diagnostics = [diagnose({ code, message, fix }, 'error', WHOLE_FILE, place)];
  return { artifact_id, layer, code, reason: message, diagnostics };
}

/** Parses a `DOMAIN.md`. All of its findings are errors. */
function readDomainInto(domain: AuthoredDomain, layer: string, into: SnapshotReading): void {
  const reading = readDomain(domain, layer);
  const problems = reading.kind === 'ok' ? reading.diagnostics : reading.problems;
  if (reading.kind === 'ok' && problems.length === 0) {
    into.domains.push(reading.domain);
    return;
  }
  into.rejected.push({
    artifact_id: `${domain.path}/DOMAIN.md`,
    layer,
    code: reading.kind === 'ok' ? 'ingest.lint_failed' : 'ingest.invalid_artifact',
    reason: problems.map(({ message }) => message).join(' '),
    diagnostics: problems,
  });
}
