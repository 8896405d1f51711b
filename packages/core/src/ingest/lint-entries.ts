import type { Artifact } from '../artifact/types.ts';
import type { ResolvedExtends } from '../extends/resolve-extends.ts';
import type { Diagnostic } from '../lint/diagnostic.ts';
import { atField, toDiagnostic } from '../lint/finding.ts';
import { lintArtifacts, type LintContext } from '../lint/lint-artifacts.ts';
import { locate } from '../manifest/locate.ts';
import type { Linter } from './decide-entries.ts';
import type { Entry } from './read-snapshots.ts';

/**
 * Lints all artifacts together, because some rules compare them. Inherited content is linted after the merge, and its
 * findings are located at the `extends` of the child.
 */
export function lintEntries(entries: readonly Entry[], context: LintContext): Linter {
  const found = lintArtifacts(
    entries.map(({ artifact }) => artifact),
    context,
  );
  const byArtifact = Map.groupBy(found, ({ layer, artifact_id }) => keyOf(layer, artifact_id));

  function findingsOf({ artifact, diagnostics }: Entry): Diagnostic[] {
    const linted = byArtifact.get(keyOf(artifact.layer, artifact.id));
    return linted === undefined ? diagnostics : [...diagnostics, ...linted];
  }

  return {
    findingsOf,
    findingsOfMerged: (entry, merged) => {
      const authored = findingsOf(entry);
      const known = new Set(authored.map(({ code }) => code));
      const inherited = lintArtifacts([merged.artifact], context)
        .filter(({ code }) => !known.has(code))
        .map((finding) => atExtends(finding, entry.artifact));
      return [...authored, ...inherited, ...changedLicense(entry.artifact, merged)];
    },
  };
}

function keyOf(layer: string, id: string): string {
  return `${layer}\0${id}`;
}

function atExtends(finding: Diagnostic, { manifest }: Artifact): Diagnostic {
  if (manifest === undefined) return finding;
  return { ...finding, file: manifest.file, ...locate(manifest, ['extends']) };
}

const LICENSE_CHANGED = 'lint.license_changed_across_layers';

function changedLicense(child: Artifact, { artifact, parent }: ResolvedExtends): Diagnostic[] {
  const before = licenseOf(parent);
  const after = licenseOf(artifact);
  const manifest = child.type === 'skill' ? child.skill : child.manifest;
  if (child.layer === parent.layer || manifest === undefined) return [];
  if (before === undefined || before === after) return [];
  if (artifact.fields.lint_suppress?.includes(LICENSE_CHANGED) === true) return [];
  const message = `The license is ${after ?? 'none'}, but the extended artifact is under ${before}.`;
  const finding = { code: LICENSE_CHANGED, message, place: atField(manifest, 'license') } as const;
  return [toDiagnostic(finding, child)];
}

function licenseOf({ type, fields, skill_fields }: Artifact): string | undefined {
  return (type === 'skill' ? skill_fields?.license : undefined) ?? fields.license;
}
