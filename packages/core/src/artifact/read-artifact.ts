import type { Diagnostic } from '../lint/diagnostic.ts';
import { diagnose, type Place } from '../manifest/diagnose.ts';
import { locate } from '../manifest/locate.ts';
import { positionAt } from '../manifest/position.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { checkFields } from './check-fields.ts';
import { lastSegment } from '../text/slash-path.ts';
import { derivedVersion } from '../version/derived-version.ts';
import { contentHash, type HashedFile } from './content-hash.ts';
import { isArtifactVersion } from './field-types.ts';
import { ARTIFACT_KEYS, SKILL_KEYS } from './frontmatter-keys.ts';
import type { Artifact, ArtifactFields, AuthoredPackage, Manifest, SkillFields } from './types.ts';

export type ArtifactReading =
  /** If the diagnostics contain an error, the artifact must not be delivered. */
  | { kind: 'ok'; artifact: Artifact; diagnostics: Diagnostic[] }
  | { kind: 'refused'; problems: Diagnostic[] };

const MANIFEST_FILE = 'ARTIFACT.md';
const SKILL_FILE = 'SKILL.md';

/**
 * Parses the package of an artifact. Missing and invalid keys become diagnostics and are absent from the fields (`type`
 * and `version` are then empty), so that all problems are reported together.
 */
export function readArtifact(pkg: AuthoredPackage): ArtifactReading {
  const problems: Diagnostic[] = [];
  const manifest = readFile(pkg, pkg.manifest, MANIFEST_FILE, problems);
  const skill = readFile(pkg, pkg.skill, SKILL_FILE, problems);
  if (problems.length > 0) return { kind: 'refused', problems };
  if (manifest !== undefined) return readAuthored(pkg, manifest, skill);
  if (skill !== undefined) return readBareSkill(pkg, skill);
  return { kind: 'refused', problems: [nothingToRead(pkg)] };
}

function readFile(
  pkg: AuthoredPackage,
  bytes: Uint8Array | undefined,
  name: string,
  problems: Diagnostic[],
): Manifest | undefined {
  if (bytes === undefined) return undefined;
  const reading = readManifest(bytes, placeOf(pkg, name));
  if (reading.kind === 'ok') return reading.manifest;
  problems.push(...reading.problems);
  return undefined;
}

function readAuthored(
  pkg: AuthoredPackage,
  manifest: Manifest,
  skill: Manifest | undefined,
): ArtifactReading {
  const place = placeOf(pkg, MANIFEST_FILE);
  const fields: ArtifactFields = { type: '', version: '' };
  const diagnostics = checkFields(manifest, ARTIFACT_KEYS, fields, place);
  reportMissing(manifest, place, diagnostics);
  const skill_fields = skill === undefined ? undefined : readSkillFields(pkg, skill, diagnostics);
  const isSkill = fields.type === 'skill';
  const shown = isSkill ? { ...fields, ...skill_fields } : fields;
  const hash = hashPackage(pkg);
  const artifact: Artifact = {
    id: pkg.id,
    layer: pkg.layer,
    type: fields.type,
    version: fields.version,
    name: shown.name ?? lastSegment(pkg.id),
    description: shown.description ?? '',
    fields,
    manifest,
    skill,
    skill_fields,
    body: isSkill ? (skill?.body ?? '') : manifest.body,
    resources: pkg.resources,
    content_hash: hash,
    authored_hash: hash,
  };
  return { kind: 'ok', artifact, diagnostics };
}

/** Parses a skill without catalog files (SPEC-49). If it has no version, the version is derived from its content. */
function readBareSkill(pkg: AuthoredPackage, skill: Manifest): ArtifactReading {
  const diagnostics: Diagnostic[] = [];
  const skill_fields = readSkillFields(pkg, skill, diagnostics);
  const hash = hashPackage(pkg);
  const stated = skill_fields.metadata?.['version'];
  const version = stated !== undefined && isArtifactVersion(stated) ? stated : derivedVersion(hash);
  if (version !== stated) diagnostics.push(versionAdvisory(pkg, skill, version, stated));
  const artifact: Artifact = {
    id: pkg.id,
    layer: pkg.layer,
    type: 'skill',
    version,
    name: skill_fields.name ?? lastSegment(pkg.id),
    description: skill_fields.description ?? '',
    fields: { type: 'skill', version },
    manifest: undefined,
    skill,
    skill_fields,
    body: skill.body,
    resources: pkg.resources,
    content_hash: hash,
    authored_hash: hash,
  };
  return { kind: 'ok', artifact, diagnostics };
}

function readSkillFields(
  pkg: AuthoredPackage,
  skill: Manifest,
  diagnostics: Diagnostic[],
): SkillFields {
  const fields: SkillFields = {};
  diagnostics.push(...checkFields(skill, SKILL_KEYS, fields, placeOf(pkg, SKILL_FILE)));
  return fields;
}

/** Hashes a package. The served hash and the authored hash are equal unless the artifact extends a parent (SPEC-27). */
export function hashPackage(
  pkg: Pick<AuthoredPackage, 'manifest' | 'skill' | 'resources'>,
): string {
  const files: HashedFile[] = [...pkg.resources];
  if (pkg.manifest !== undefined) files.push(plainFile(MANIFEST_FILE, pkg.manifest));
  if (pkg.skill !== undefined) files.push(plainFile(SKILL_FILE, pkg.skill));
  return contentHash(files);
}

function plainFile(path: string, bytes: Uint8Array): HashedFile {
  return { path, bytes, executable: false };
}

function placeOf(pkg: AuthoredPackage, name: string): Place {
  return { file: `${pkg.id}/${name}`, artifact_id: pkg.id, layer: pkg.layer };
}

function reportMissing(manifest: Manifest, place: Place, diagnostics: Diagnostic[]): void {
  for (const name of ['type', 'version']) {
    if ((manifest.values[name] ?? null) !== null) continue;
    const finding = {
      code: 'lint.required_field_missing',
      message: `The manifest has no \`${name}\`.`,
      fix: name === 'type' ? 'Add a type, such as `type: skill`.' : 'Add `version: 1.0.0`.',
    };
    diagnostics.push(diagnose(finding, 'error', locate(manifest, [name]), place));
  }
}

function versionAdvisory(
  pkg: AuthoredPackage,
  skill: Manifest,
  version: string,
  stated: string | undefined,
): Diagnostic {
  const reason =
    stated === undefined
      ? 'has no version'
      : 'has a version that is not in the form `major.minor.patch`';
  const finding = {
    code: 'lint.derived_version',
    message: `The skill ${reason}, so catalog assigns ${version}, which changes with its content.`,
    fix: 'Add `version: "1.0.0"` under `metadata`, or an ARTIFACT.md next to the file.',
  };
  const position = locate(skill, ['metadata', 'version']);
  return diagnose(finding, 'warning', position, placeOf(pkg, SKILL_FILE));
}

function nothingToRead(pkg: AuthoredPackage): Diagnostic {
  const finding = {
    code: 'lint.frontmatter_missing',
    message: 'The folder has neither ARTIFACT.md nor SKILL.md.',
    fix: 'Add ARTIFACT.md with `type` and `version`.',
  };
  return diagnose(finding, 'error', positionAt('', 0), placeOf(pkg, MANIFEST_FILE));
}
