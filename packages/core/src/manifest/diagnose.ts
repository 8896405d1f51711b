import type { Diagnostic, Severity } from '../lint/diagnostic.ts';
import type { Position } from './position.ts';

export interface Place {
  file: string;
  artifact_id: string;
  layer: string;
}

export interface Finding {
  code: string;
  message: string;
  fix: string;
}

export function diagnose(
  finding: Finding,
  severity: Severity,
  position: Position,
  place: Place,
): Diagnostic {
  const { code, message, fix } = finding;
  const { artifact_id, layer, file } = place;
  const { line, column, excerpt } = position;
  const found = { code, severity, message, fix, artifact_id, layer, file, line, column };
  return excerpt === '' ? found : { ...found, excerpt };
}
