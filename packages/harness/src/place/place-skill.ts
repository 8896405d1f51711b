import type { Artifact, Manifest } from '@catalog/core/artifact/types';
import type { Place, PlaceContext } from '../adapter.ts';
import type { SkillLanding } from '../landing.ts';
import { describeCompatibility } from './compatibility.ts';
import { renameHead } from './document-text.ts';
import { addKey, joinDocument, splitDocument } from './frontmatter.ts';
import { markUntrusted } from './provenance.ts';
import { writeBundled, writeDocument } from './write-files.ts';

/** Places a skill in its own folder (CANON-04). */
export function placeSkill({ folders, derive_compatibility }: SkillLanding): Place {
  return (artifact, context) => {
    const { skill } = artifact;
    if (skill === undefined) return { untranslatable: 'the skill has no SKILL.md' };
    const folder = `${context.skill_folder ?? folders[0] ?? ''}/${context.name}`;
    const text = skillText(artifact, skill, context, derive_compatibility === true);
    return [writeDocument(`${folder}/SKILL.md`, text, artifact), ...writeBundled(folder, artifact)];
  };
}

function skillText(
  artifact: Artifact,
  skill: Manifest,
  context: PlaceContext,
  derive: boolean,
): string {
  const { head, body } = splitDocument(skill);
  const renamed = renameHead(head, context);
  return joinDocument(skill, {
    head: derive ? withCompatibility(renamed, artifact) : renamed,
    body: markUntrusted(body, artifact.fields.source),
  });
}

/** Adds host requirements to `SKILL.md`, because no harness reads ARTIFACT.md. */
function withCompatibility(head: string, { fields, skill_fields }: Artifact): string {
  const needs = describeCompatibility(fields);
  if (needs === undefined || skill_fields?.compatibility !== undefined) return head;
  return addKey(head, 'compatibility', needs);
}
