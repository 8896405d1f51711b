import { compareBytes } from '../artifact/compare-bytes.ts';

export type Severity = 'error' | 'warning';

export interface Diagnostic {
  /** `lint.<rule>`, or an error code for problems that only an ingest finds. */
  code: string;
  severity: Severity;
  message: string;
  fix: string;
  artifact_id: string;
  layer: string;
  /** Path relative to the layer, with `/`. */
  file: string;
  /** Line, 1-based; 1 if only the file is known. */
  line: number;
  column: number;
  excerpt?: string;
}

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
