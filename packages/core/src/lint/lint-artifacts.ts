import type { Artifact } from '../artifact/types.ts';
import type { ArtifactRule, LintContext } from './context.ts';
import { compareDiagnostics, type Diagnostic } from './diagnostic.ts';
import { codeOf, isSuppressed, toDiagnostic, type Finding } from './finding.ts';
import { artifactType } from './rules/artifact-type.ts';
import { collidingDescriptions, thinDescription } from './rules/descriptions.ts';
import { harnessCapability } from './rules/harness-capability.ts';
import { hiddenText } from './rules/hidden-text.ts';
import { hints } from './rules/hints.ts';
import { misspelledKeys } from './rules/misspelled-keys.ts';
import { proseReference } from './rules/prose-reference.ts';
import { requiredFields } from './rules/required-fields.ts';
import { ruleFields } from './rules/rule-fields.ts';
import { secretLiteral } from './rules/secret-literal.ts';
import { bundledResourceSize, manifestSize } from './rules/sizes.ts';
import { skillFiles } from './rules/skill-files.ts';
import { suppressions } from './rules/suppressions.ts';
import { triggersFile } from './rules/triggers.ts';
import { unsupportedFields } from './rules/unsupported-fields.ts';
import { untouchedTemplate } from './rules/untouched-template.ts';

export type { HarnessCapabilities, LintContext } from './context.ts';

const ARTIFACT_RULES: readonly ArtifactRule[] = [
  artifactType,
  misspelledKeys,
  unsupportedFields,
  requiredFields,
  ruleFields,
  hints,
  skillFiles,
  harnessCapability,
  secretLiteral,
  suppressions,
  manifestSize,
  bundledResourceSize,
  proseReference,
  hiddenText,
  thinDescription,
  untouchedTemplate,
  triggersFile,
];

/** Maximum number of findings of one code per artifact. The last one reports that more exist. */
const MAX_FINDINGS_PER_CODE = 10;

/**
 * Lints artifacts individually and together. Findings of the parser are not repeated. Of an artifact that extends
 * another, only its own content is checked; lint the merged artifact for the rest.
 */
export function lintArtifacts(artifacts: readonly Artifact[], context: LintContext): Diagnostic[] {
  const found = new Map<Artifact, Finding[]>();
  for (const artifact of artifacts) {
    for (const rule of ARTIFACT_RULES) {
      const findings = rule(artifact, context);
      if (findings.length > 0) for (const finding of findings) add(found, artifact, finding);
    }
  }
  for (const { artifact, finding } of collidingDescriptions(artifacts)) {
    add(found, artifact, finding);
  }
  return [...found].flatMap(report).sort(compareDiagnostics);
}

function add(found: Map<Artifact, Finding[]>, artifact: Artifact, finding: Finding): void {
  if (isSuppressed(finding, artifact)) return;
  const own = found.get(artifact);
  if (own === undefined) found.set(artifact, [finding]);
  else own.push(finding);
}

function report([artifact, findings]: [Artifact, Finding[]]): Diagnostic[] {
  const diagnostics = [...Map.groupBy(findings, codeOf).values()].flatMap((alike) =>
    toDiagnostics(alike, artifact),
  );
  const secrets = diagnostics.filter(({ code }) => code === 'lint.secret_literal');
  if (secrets.length === 0) return diagnostics;
  // A report has more readers than the file, so it omits lines with a secret.
  const secretPlaces = new Set(secrets.map(placeOf));
  return diagnostics.map(({ excerpt, ...rest }) =>
    excerpt === undefined || secretPlaces.has(placeOf(rest)) ? rest : { ...rest, excerpt },
  );
}

function toDiagnostics(alike: readonly Finding[], artifact: Artifact): Diagnostic[] {
  const diagnostics = alike
    .slice(0, MAX_FINDINGS_PER_CODE)
    .map((finding) => toDiagnostic(finding, artifact));
  const last = diagnostics.at(-1);
  if (last !== undefined && alike.length > diagnostics.length)
    last.message += ' More occurrences are not listed.';
  return diagnostics;
}

function placeOf({ file, line }: Diagnostic): string {
  return `${file}:${line}`;
}
