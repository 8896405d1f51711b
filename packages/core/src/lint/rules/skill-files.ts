import { CATALOG_ONLY_KEYS, SHARED_KEYS, SKILL_KEYS } from '../../artifact/frontmatter-keys.ts';
import type { Artifact, Manifest } from '../../artifact/types.ts';
import { lastSegment } from '../../text/slash-path.ts';
import { isBlank } from '../blank.ts';
import { NOTHING, atField, atFile, atOffset, bodyOffset, type Finding } from '../finding.ts';
import { nearestKey } from './misspelled-keys.ts';

const MAX_DESCRIPTION = 1_024;
const MAX_COMPATIBILITY = 500;

export function skillFiles(artifact: Artifact): readonly Finding[] {
  const { type, skill, manifest } = artifact;
  if (type !== 'skill') return skill === undefined ? NOTHING : [misplacedFile(skill, type)];
  if (skill === undefined) return missingFile(artifact);
  const found: Finding[] = [];
  checkIdentity(artifact, skill, found);
  checkKeys(artifact, skill, found);
  checkLengths(artifact, skill, found);
  if (manifest !== undefined) {
    checkRepeatedFields(manifest, skill, found);
    checkManifestBody(manifest, found);
  }
  return found;
}

function misplacedFile(skill: Manifest, type: string): Finding {
  return {
    code: 'lint.skill_md_compliance',
    severity: 'warning',
    message: `Only skills have a \`SKILL.md\`, but the type of this artifact is \`${type}\`.`,
    fix: 'Change the type to `skill`, or rename the file.',
    place: atFile(skill.file),
  };
}

/** Reports a missing `SKILL.md`. A child may inherit the file, so it is checked after the merge. */
function missingFile({ manifest, fields }: Artifact): readonly Finding[] {
  if (manifest === undefined || fields.extends !== undefined) return NOTHING;
  return [
    {
      code: 'lint.skill_md_compliance',
      message: 'The skill has no `SKILL.md`.',
      place: atField(manifest, 'type'),
    },
  ];
}

function checkIdentity(artifact: Artifact, skill: Manifest, found: Finding[]): void {
  const folder = lastSegment(artifact.id);
  const name = artifact.skill_fields?.name;
  // An invalid name is already reported by the parser.
  if (name !== undefined && name !== folder) {
    found.push({
      code: 'lint.skill_md_compliance',
      message: `The skill is named \`${name}\`, but its folder is \`${folder}\`.`,
      fix: `Write \`name: ${folder}\`, or rename the folder.`,
      place: atField(skill, 'name'),
    });
  }
  if (artifact.fields.extends !== undefined) return;
  if (isBlank(skill.values['name'])) {
    found.push({
      code: 'lint.skill_md_compliance',
      message: '`SKILL.md` has no `name`.',
      fix: `Add \`name: ${folder}\`.`,
      place: atField(skill, 'name'),
    });
  }
  if (isBlank(skill.values['description'])) {
    found.push({
      code: 'lint.skill_md_compliance',
      message: '`SKILL.md` has no `description`.',
      fix: 'Add a `description`: what the skill does and when to use it.',
      place: atField(skill, 'description'),
    });
  }
}

/** Checks the keys of `SKILL.md`. A skill without `ARTIFACT.md` has no other file for keys of catalog. */
function checkKeys(artifact: Artifact, skill: Manifest, found: Finding[]): void {
  for (const key in skill.values) {
    if (SKILL_KEYS.has(key)) continue;
    if (artifact.manifest !== undefined && CATALOG_ONLY_KEYS.has(key)) {
      found.push({
        code: 'lint.skill_catalog_only_field',
        message: `\`${key}\` is a catalog field and does not belong in \`SKILL.md\`.`,
        place: atField(skill, key),
      });
    } else {
      const fix = PRODUCT_KEYS.get(key) ?? spellingFix(key, artifact, skill);
      found.push({
        code: 'lint.skill_unknown_field',
        message: `\`${key}\` is not a key of the Agent Skills specification.`,
        ...(fix === undefined ? {} : { fix }),
        place: atField(skill, key),
      });
    }
  }
}

const KEEP =
  'Keep it if you rely on it: products such as Claude Code read it here, and under `metadata` it has no effect. Other products ignore it or reject the skill.';

/** Keys of products outside the specification, with advice. They would stop working if moved or removed. */
const PRODUCT_KEYS: ReadonlyMap<string, string> = new Map([
  [
    'disable-model-invocation',
    'Keep it: without it, the model can start the skill on its own. Claude Code, Cursor, and pi read it here. For other products, write the skill as a command, or exclude them with `target_harnesses`.',
  ],
  ...[
    'agent',
    'argument-hint',
    'arguments',
    'background',
    'context',
    'disallowed-tools',
    'effort',
    'hooks',
    'model',
    'paths',
    'shell',
    'user-invocable',
  ].map((key) => [key, KEEP] as const),
]);

function spellingFix(key: string, { type }: Artifact, skill: Manifest): string | undefined {
  const meant = nearestKey(key, skill, SKILL_KEYS, type);
  return meant === undefined ? undefined : `Did you mean \`${meant}\`?`;
}

function checkLengths(artifact: Artifact, skill: Manifest, found: Finding[]): void {
  const { description = '', compatibility = '' } = artifact.skill_fields ?? {};
  if (description.length > MAX_DESCRIPTION) {
    found.push(tooLong(skill, 'description', description.length, MAX_DESCRIPTION));
  }
  if (compatibility.length > MAX_COMPATIBILITY) {
    found.push(tooLong(skill, 'compatibility', compatibility.length, MAX_COMPATIBILITY));
  }
}

function tooLong(skill: Manifest, key: string, length: number, limit: number): Finding {
  return {
    code: 'lint.skill_ref_validate',
    message: `\`${key}\` has ${length} characters; the Agent Skills specification allows ${limit}.`,
    place: atField(skill, key),
  };
}

function checkRepeatedFields(manifest: Manifest, skill: Manifest, found: Finding[]): void {
  for (const key of SHARED_KEYS.keys()) {
    const here = manifest.values[key];
    const there = skill.values[key];
    if (isBlank(here)) continue;
    const place = atField(manifest, key);
    if (isBlank(there)) {
      found.push({
        code: 'lint.skill_artifact_field',
        message: `A skill's \`${key}\` belongs in \`SKILL.md\`, where it is missing.`,
        fix: `Move \`${key}\` to \`SKILL.md\`.`,
        place,
      });
    } else if (here === there) {
      found.push({
        code: 'lint.skill_artifact_field',
        message: `\`${key}\` repeats the value in \`SKILL.md\`.`,
        fix: `Remove \`${key}\` from \`ARTIFACT.md\`.`,
        place,
      });
    } else {
      found.push({
        code: 'lint.skill_artifact_field_mismatch',
        message: `\`${key}\` differs from the value in \`SKILL.md\`.`,
        place,
      });
    }
  }
}

function checkManifestBody(manifest: Manifest, found: Finding[]): void {
  if (hasNoInstructions(manifest.body)) return;
  found.push({
    code: 'lint.skill_artifact_body',
    message: "The body of a skill's `ARTIFACT.md` is not delivered.",
    place: atOffset(manifest, bodyOffset(manifest) + manifest.body.search(/\S/)),
  });
}

function hasNoInstructions(body: string): boolean {
  const text = body.trim();
  if (text === '') return true;
  return text.startsWith('<!--') && text.indexOf('-->', 4) === text.length - 3;
}
