import type { Artifact, Manifest } from '../artifact/types.ts';
import type { Domain } from '../domain/read-domain.ts';
import { diagnose } from '../manifest/diagnose.ts';
import { locate, type ValuePath } from '../manifest/locate.ts';
import { WHOLE_FILE, positionAt, type Position } from '../manifest/position.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import { getLintRule, lintRules, type LintCode } from './rules.ts';

/** What a finding points at. Looking up the line costs more than most rules, so it is done last. */
export type FindingPlace =
  /** A frontmatter value. */
  | { kind: 'field'; manifest: Manifest; path: ValuePath }
  /** An offset into the text of a manifest. */
  | { kind: 'offset'; manifest: Manifest; offset: number }
  /** An offset into the text of another file. */
  | { kind: 'text'; file: string; text: string; offset: number }
  /** A whole file, which need not be a text. */
  | { kind: 'file'; file: string };

/** What a rule says. Severity and advice are the rule table's unless the case knows better. */
export interface Finding {
  code: LintCode;
  message: string;
  place: FindingPlace;
  fix?: string;
  severity?: Severity;
  /** Instead of `code`, for a type provider that has codes of its own. */
  provider_code?: string;
}

/** What a finding is about: an artifact, or a domain by its path. */
export interface Subject {
  id: string;
  layer: string;
}

/** What a rule that found nothing returns; most artifacts meet most rules with it. */
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

/** A place in a `DOMAIN.md`. */
export function atDomain({ path, manifest }: Domain, ...value: ValuePath): FindingPlace {
  return manifest === undefined ? atFile(`${path}/DOMAIN.md`) : atField(manifest, ...value);
}

/** The text of a `DOMAIN.md`. */
export function atDomainBody({ path, manifest }: Domain): FindingPlace {
  if (manifest === undefined) return atFile(`${path}/DOMAIN.md`);
  return atOffset(manifest, bodyOffset(manifest));
}

/** The file that holds the prose of an artifact. */
export function proseManifest(artifact: Artifact): Manifest | undefined {
  return artifact.type === 'skill' ? artifact.skill : artifact.manifest;
}

/** Where the body starts in the text of a manifest: it is all that follows the frontmatter. */
export function bodyOffset(manifest: Manifest): number {
  return manifest.text.length - manifest.body.length;
}

function severityOf(finding: Finding): Severity {
  return finding.severity ?? lintRules[finding.code].severity;
}

export function codeOf(finding: Finding): string {
  return finding.provider_code ?? finding.code;
}

/** Whether `lint_suppress` silences it: warnings that allow it, never an error. */
export function isSuppressed(finding: Finding, { fields }: Artifact): boolean {
  if (fields.lint_suppress === undefined || severityOf(finding) === 'error') return false;
  const code = codeOf(finding);
  return fields.lint_suppress.includes(code) && getLintRule(code)?.suppressible !== false;
}

/** The finding with its line, column and excerpt. */
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
