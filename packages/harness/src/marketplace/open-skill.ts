import type { Artifact, SkillFields } from '@catalog/core/artifact/types';
import type { FileOperation, PlaceContext, Untranslatable } from '../adapter.ts';
import { describeCompatibility } from '../place/compatibility.ts';
import { markedBody } from '../place/document-text.ts';
import { placeSkill } from '../place/place-skill.ts';
import { projectDocument, type ProjectedKey } from '../place/project-frontmatter.ts';
import { splitGlobs } from '../place/split-globs.ts';
import { writeBundled, writeText } from '../place/write-files.ts';

const OPEN_KEYS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
]);

export function closedKeys({ skill }: Artifact): string[] {
  return Object.keys(skill?.values ?? {}).filter((key) => !OPEN_KEYS.has(key));
}

export const placeAuthoredSkill = placeSkill({ folders: ['skills'] });

/**
 * Places a skill for strict readers, which reject keys outside the open specification. A skill without such keys stays
 * as authored.
 */
export function placeOpenSkill(
  artifact: Artifact,
  context: PlaceContext,
): FileOperation[] | Untranslatable {
  const { skill, skill_fields = {} } = artifact;
  const isOpen =
    skill_fields.name === context.name &&
    closedKeys(artifact).length === 0 &&
    !Array.isArray(skill_fields['allowed-tools']) &&
    describeCompatibility(artifact.fields) === undefined;
  if (skill === undefined || isOpen) return placeAuthoredSkill(artifact, context);
  return skillOf(artifact, context, [
    ['description', oneLine(skill_fields.description ?? artifact.description)],
    ['license', skill_fields.license],
    ['compatibility', skill_fields.compatibility ?? describeCompatibility(artifact.fields)],
    ['metadata', skill_fields.metadata],
    ['allowed-tools', toolsOf(skill_fields)],
  ]);
}

/** Places a rule as a skill, which the agent loads if its description matches. */
export function placeRuleAsSkill(artifact: Artifact, context: PlaceContext): FileOperation[] {
  const { rule_description, rule_globs = '', rule_mode, license } = artifact.fields;
  const what = oneLine(rule_description ?? artifact.description);
  const globs = rule_mode === 'glob' ? splitGlobs(rule_globs) : [];
  const when = globs.length === 0 ? '' : ` Applies to files that match ${globs.join(', ')}.`;
  return skillOf(artifact, context, [
    ['description', what + when],
    ['license', license],
  ]);
}

function skillOf(
  artifact: Artifact,
  { name, skill_folder = 'skills' }: PlaceContext,
  keys: readonly ProjectedKey[],
): FileOperation[] {
  const folder = `${skill_folder}/${name}`;
  const text = projectDocument(artifact, [['name', name], ...keys], markedBody(artifact));
  return [writeText(`${folder}/SKILL.md`, text), ...writeBundled(folder, artifact)];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Returns the tools as a string with spaces, as the specification requires. */
function toolsOf({ 'allowed-tools': tools }: SkillFields): string | undefined {
  return Array.isArray(tools) ? tools.join(' ') : tools;
}
