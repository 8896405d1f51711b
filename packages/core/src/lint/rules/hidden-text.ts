import type { Artifact, Manifest } from '../../artifact/types.ts';
import { isAscii } from '../../text/is-ascii.ts';
import { NOTHING, atField, atOffset, type Finding } from '../finding.ts';

/**
 * Characters without width: those no script needs, the joiners and directional marks that some do,
 * and variation selectors in a row. One selector follows the character it varies; three can only
 * carry something.
 */
const HIDDEN =
  /\u034F|[\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u2060-\u2064\u206A-\u206F\u3164\uFFA0\uFFF9-\uFFFB]|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{3,}/gu;

const JOINERS = /[\u200C\u200D]/;
/** After an emoji, or a letter of a script that has them, a joiner has something to do. */
const TAKES_JOINER =
  /(?:[[\p{L}\p{M}\p{N}]--[\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{scx=Hani}\p{ASCII}]]|[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])$/v;

const DIRECTIONAL_MARKS = /[\u061C\u200E\u200F]/;
const RIGHT_TO_LEFT = /[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}]/u;

/**
 * `lint.hidden_text`: characters that a model reads and a person does not see, once for each kind
 * in a file. What is worse (control characters, overrides, the tag block) the reader refuses.
 */
export function hiddenText({ manifest, skill }: Artifact): readonly Finding[] {
  const inManifest = manifest === undefined ? NOTHING : hiddenIn(manifest);
  const inSkill = skill === undefined ? NOTHING : hiddenIn(skill);
  return inSkill.length === 0 ? inManifest : [...inManifest, ...inSkill];
}

function hiddenIn(manifest: Manifest): readonly Finding[] {
  const { text, frontmatter } = manifest;
  const escaped = frontmatter.includes('\\') ? hiddenByEscapes(manifest) : NOTHING;
  if (isAscii(text) || text.search(HIDDEN) === -1) return escaped;
  const kinds = new Map<string, { offset: number; count: number }>();
  for (const { index, 0: found } of hiddenCharacters(text)) {
    const kind = kinds.get(nameOf(found));
    if (kind === undefined) kinds.set(nameOf(found), { offset: index, count: 1 });
    else kind.count += 1;
  }
  const written = [...kinds].map(([name, { offset, count }]): Finding => ({
    code: 'lint.hidden_text',
    message: `The text holds ${name}, which nobody sees${count > 1 ? `, ${count} times` : ''}.`,
    place: atOffset(manifest, offset),
  }));
  return [...escaped, ...written];
}

/** In double quotes YAML lets any character be spelled: the text shows it, the value hides it. */
function hiddenByEscapes(manifest: Manifest): readonly Finding[] {
  const found: Finding[] = [];
  for (const [key, value] of Object.entries(manifest.values)) {
    const [first] = hiddenCharacters(JSON.stringify(value));
    if (first === undefined || manifest.frontmatter.includes(first[0])) continue;
    found.push({
      code: 'lint.hidden_text',
      message: `\`${key}\` spells ${nameOf(first[0])}, which nobody sees.`,
      place: atField(manifest, key),
    });
  }
  return found;
}

function hiddenCharacters(text: string): RegExpExecArray[] {
  return [...text.matchAll(HIDDEN)].filter(({ index, 0: found }) => {
    if (JOINERS.test(found)) return !TAKES_JOINER.test(text.slice(Math.max(0, index - 2), index));
    return !DIRECTIONAL_MARKS.test(found) || !RIGHT_TO_LEFT.test(text);
  });
}

function nameOf(found: string): string {
  const codePoint = found.codePointAt(0) ?? 0;
  const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  return found.length > 2 ? `a run of variation selectors (${name})` : name;
}
