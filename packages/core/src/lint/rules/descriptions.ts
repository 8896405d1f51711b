import type { Artifact } from '../../artifact/types.ts';
import { isAscii } from '../../text/is-ascii.ts';
import { NOTHING, atField, proseManifest, type Finding } from '../finding.ts';

const MIN_CHARACTERS = 15;
const MIN_WORDS = 3;

/** Scripts without spaces between words, whose words cannot be counted. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;

export function thinDescription(artifact: Artifact): readonly Finding[] {
  const description = artifact.description.trim();
  if (description.length >= MIN_CHARACTERS && hasWords(description)) return NOTHING;
  const manifest = proseManifest(artifact);
  if (manifest === undefined) return NOTHING;
  const mayBeEmpty = artifact.type === 'skill' || artifact.fields.extends !== undefined;
  if (description === '' && mayBeEmpty) return NOTHING;
  const message =
    description === ''
      ? 'The description is missing.'
      : 'The description is too short to choose by.';
  return [{ code: 'lint.thin_description', message, place: atField(manifest, 'description') }];
}

function hasWords(text: string): boolean {
  return text.split(/\s+/, MIN_WORDS).length === MIN_WORDS || UNSPACED.test(text);
}

/** Finds equal descriptions, ignoring case, spacing and punctuation. The same id in two layers is not a collision. */
export function collidingDescriptions(
  artifacts: readonly Artifact[],
): readonly { artifact: Artifact; finding: Finding }[] {
  const groups = new Map<string, Artifact[]>();
  for (const artifact of artifacts) {
    const words = normalise(artifact.description);
    if (words === '') continue;
    const group = groups.get(words);
    if (group === undefined) groups.set(words, [artifact]);
    else group.push(artifact);
  }
  return [...groups.values()].filter((group) => group.length > 1).flatMap(describeGroup);
}

function describeGroup(group: readonly Artifact[]): { artifact: Artifact; finding: Finding }[] {
  const ids = [...new Set(group.map((artifact) => artifact.id))];
  return group.flatMap((artifact) => {
    const manifest = proseManifest(artifact);
    const other = ids.find((id) => id !== artifact.id);
    if (manifest === undefined || other === undefined) return [];
    const more = ids.length > 2 ? ` and ${ids.length - 2} more` : '';
    const finding: Finding = {
      code: 'lint.colliding_descriptions',
      message: `The description is the same as that of ${other}${more}.`,
      place: atField(manifest, 'description'),
    };
    return [{ artifact, finding }];
  });
}

const NOT_A_WORD = /[^\p{L}\p{N}]+/gu;
const NOT_A_WORD_IN_ASCII = /[^a-z0-9]+/g;

function normalise(description: string): string {
  const separator = isAscii(description) ? NOT_A_WORD_IN_ASCII : NOT_A_WORD;
  return description.toLowerCase().replace(separator, ' ').trim();
}
