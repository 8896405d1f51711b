import { compareBytes } from '../artifact/compare-bytes.ts';

export type Severity = 'error' | 'warning';

/** One finding, with its place. Every rule of lint and every refusal of the reader speaks in these. */
export interface Diagnostic {
  /** `lint.<rule>`, a row of the rule table; or of the error catalogue, for what only ingest can tell. */
  code: string;
  severity: Severity;
  /** What is wrong, in one sentence. */
  message: string;
  /** What to do about it, in one sentence. */
  fix: string;
  artifact_id: string;
  layer: string;
  /** Relative to the layer root, with `/`. */
  file: string;
  /** 1-based; 1 where only the file is known. */
  line: number;
  column: number;
  /** The offending line, for people; absent where there is none. */
  excerpt?: string;
}

/** The order of every report: by artifact, then rule, then place. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareBytes(a.artifact_id, b.artifact_id) ||
    compareBytes(a.code, b.code) ||
    compareBytes(a.layer, b.layer) ||
    compareBytes(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compareBytes(a.message, b.message)
  );
}
