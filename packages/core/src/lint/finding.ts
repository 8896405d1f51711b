import type { Artifact, Manifest } from '../artifact/types.ts';
import type { Domain } from '../domain/read-domain.ts';
import { diagnose } from '../manifest/diagnose.ts';
import { locate, type ValuePath } from '../manifest/locate.ts';
import { WHOLE_FILE, positionAt, type Position } from '../manifest/position.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import { getLintRule, lintRules, type LintCode } from './rules.ts';

/** Place of a finding, resolved to a line only for printing, because that is slow. */
export type FindingPlace =
  | { kind: 'field'; manifest: Manifest; path: ValuePath }
  | { kind: 'offset'; manifest: Manifest; offset: number }
  | { kind: 'text'; file: string; text: string; offset: number }
  | { kind: 'file'; file: string };

/** Finding of a rule. Severity and fix come from the table of rules unless set here. */
export interface Finding {
  code: LintCode;
  message: string;
  place: FindingPlace;
  fix?: string;
  severity?: Severity;
  /** Replaces `code`, for a type provider with its own codes. */
  provider_code?: string;
}

export interface Subject {
  id: string;
  layer: string;
}

export const NOTHING: readonly Finding[] = [];

export function atField(manifest: Manifest, ...path: ValuePath): FindingPlace {
  return { kind: 'field', manifest, path };
}

export function atOffset(manifest: Manifest, offset: number): FindingPlace {
  return { kind: 'offset', manifest, offset };
}

export function atFile(file: string): FindingPlace {
  return { kind: 'file', file };
}

export function atDomain({ path, manifest }: Domain, ...value: ValuePath): FindingPlace {
  return manifest === undefined ? atFile(`${path}/DOMAIN.md`) : atField(manifest, ...value);
}

export function atDomainBody({ path, manifest }: Domain): FindingPlace {
  if (manifest === undefined) return atFile(`${path}/DOMAIN.md`);
  return atOffset(manifest, bodyOffset(manifest));
}

export function proseManifest(artifact: Artifact): Manifest | undefined {
  return artifact.type === 'skill' ? artifact.skill : artifact.manifest;
}

export function bodyOffset(manifest: Manifest): number {
  return manifest.text.length - manifest.body.length;
}

function severityOf(finding: Finding): Severity {
  return finding.severity ?? lintRules[finding.code].severity;
}

export function codeOf(finding: Finding): string {
  return finding.provider_code ?? finding.code;
}

/** Returns true if `lint_suppress` hides the finding. Only warnings can be suppressed. */
export function isSuppressed(finding: Finding, { fields }: Artifact): boolean {
  if (fields.lint_suppress === undefined || severityOf(finding) === 'error') return false;
  const code = codeOf(finding);
  return fields.lint_suppress.includes(code) && getLintRule(code)?.suppressible !== false;
}

export function toDiagnostic(finding: Finding, { id, layer }: Subject): Diagnostic {
  const { place, message } = finding;
  const fix = finding.fix ?? lintRules[finding.code].fix;
  const file = 'file' in place ? place.file : place.manifest.file;
  return diagnose({ code: codeOf(finding), message, fix }, severityOf(finding), positionOf(place), {
    file,
    artifact_id: id,
    layer,
  });
}

function positionOf(place: FindingPlace): Position {
  if (place.kind === 'file') return WHOLE_FILE;
  if (place.kind === 'field') return locate(place.manifest, place.path);
  const { text } = place.kind === 'offset' ? place.manifest : place;
  return positionAt(text, place.offset);
}
