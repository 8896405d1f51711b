import type { Artifact, Manifest } from '@catalog/core/artifact/types';
import type { FileOperation, PlaceContext, Untranslatable } from '../../adapter.ts';
import { describeCompatibility } from '../../place/compatibility.ts';
import { addKey, joinDocument, splitDocument } from '../../place/frontmatter.ts';
import { markUntrusted } from '../../place/provenance.ts';
import { writeBundled, writeText } from '../../place/write-files.ts';
import { renameHead } from './document.ts';

/** `SKILL.md` in a folder of its own with the bundled files beside it. */
export function placeSkill(
  artifact: Artifact,
  context: PlaceContext,
): FileOperation[] | Untranslatable {
  const { skill } = artifact;
  if (skill === undefined) return { untranslatable: 'the skill has no SKILL.md' };
  const folder = `.harness-a/skills/${context.name}`;
  return [
    writeText(`${folder}/SKILL.md`, skillText(artifact, skill, context)),
    ...writeBundled(folder, artifact),
  ];
}

function skillText(artifact: Artifact, skill: Manifest, context: PlaceContext): string {
  const { head, body } = splitDocument(skill);
  return joinDocument(skill, {
    head: withCompatibility(renameHead(head, context), artifact),
    body: markUntrusted(body, artifact.fields.source),
  });
}

/** What the skill needs of its host stands in ARTIFACT.md, which this harness does not read. */
function withCompatibility(head: string, { fields, skill_fields }: Artifact): string {
  const needs = describeCompatibility(fields);
  if (needs === undefined || skill_fields?.compatibility !== undefined) return head;
  return addKey(head, 'compatibility', needs);
}
