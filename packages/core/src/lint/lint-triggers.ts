import type { Artifact } from '../artifact/types.ts';
import type { Diagnostic } from './diagnostic.ts';
import { isSuppressed, toDiagnostic } from './finding.ts';
import { missedTriggers, type TriedTrigger } from './rules/triggers.ts';

export interface TriedArtifact {
  artifact: Artifact;
  text: string;
  tried: readonly TriedTrigger[];
}

export function lintTriggers(artifacts: readonly TriedArtifact[]): Diagnostic[] {
  return artifacts.flatMap(({ artifact, text, tried }) =>
    missedTriggers(artifact, text, tried)
      .filter((finding) => !isSuppressed(finding, artifact))
      .map((finding) => toDiagnostic(finding, artifact)),
  );
}
