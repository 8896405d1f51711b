import type { Artifact } from '../artifact/types.ts';
import type { Diagnostic } from './diagnostic.ts';
import { isSuppressed, toDiagnostic } from './finding.ts';
import { missedTriggers, type TriedTrigger } from './rules/triggers.ts';

/** An artifact whose triggers were tried in a search. */
export interface TriedArtifact {
  artifact: Artifact;
  /** The text of its trigger tests. */
  text: string;
  tried: readonly TriedTrigger[];
}

/** What trigger tests come to for lint. Who searched is not asked: results are handed in. */
export function lintTriggers(artifacts: readonly TriedArtifact[]): Diagnostic[] {
  return artifacts.flatMap(({ artifact, text, tried }) =>
    missedTriggers(artifact, text, tried)
      .filter((finding) => !isSuppressed(finding, artifact))
      .map((finding) => toDiagnostic(finding, artifact)),
  );
}
