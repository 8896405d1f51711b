import type { Artifact, Manifest } from '../../artifact/types.ts';
import { isAscii } from '../../text/is-ascii.ts';
import { NOTHING, atField, atOffset, type Finding } from '../finding.ts';

/**
 * Hidden characters. A joiner is legitimate only after an emoji or a letter of some scripts, and three variation
 * selectors in a row can only carry hidden data.
 */
const HIDDEN = hiddenCharacters('');
/** Hidden characters in Latin text, where direction marks count too. */
const HIDDEN_LEFT_TO_RIGHT = hiddenCharacters('\\u061C\\u200E\\u200F');

function hiddenCharacters(marks: string): RegExp {
  return new RegExp(
    [
      `[\\u00AD\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B\\u2060-\\u2064\\u206A-\\u206F\\u3164\\uFFA0\\uFFF9-\\uFFFB${marks}]`,
      '(?<![[\\p{L}\\p{M}\\p{N}]--[\\p{scx=Latn}\\p{scx=Grek}\\p{scx=Cyrl}\\p{scx=Hani}\\p{ASCII}]]|[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])[\\u200C\\u200D]',
      '[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]{3,}',
    ].join('|'),
    'gv',
  );
}

/** Fast check for any of these characters; most files contain none. */
const SUSPICIOUS =
  /\u034F|[\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u2060-\u2064\u206A-\u206F\u3164\uFFA0\uFFF9-\uFFFB]|[\uFE00-\uFE0F]{3}|\uDB40/;

const RIGHT_TO_LEFT = /[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}]/u;

const MAX_COUNTED = 1_000;

/**
 * Reports characters that a model reads but a user cannot see, once per kind and file. More dangerous ones are rejected
 * by the parser.
 */
export function hiddenText({ manifest, skill }: Artifact): readonly Finding[] {
  const inManifest = manifest === undefined ? NOTHING : hiddenIn(manifest);
  const inSkill = skill === undefined ? NOTHING : hiddenIn(skill);
  return inSkill.length === 0 ? inManifest : [...inManifest, ...inSkill];
}

function hiddenIn(manifest: Manifest): readonly Finding[] {
  const { text, frontmatter } = manifest;
  const spelled = frontmatter.includes('\\') ? spelledInValues(manifest) : NOTHING;
  if (isAscii(text) || !SUSPICIOUS.test(text)) return spelled;
  return [...spelled, ...writtenIn(manifest)];
}

function writtenIn(manifest: Manifest): readonly Finding[] {
  const { text } = manifest;
  const kinds = new Map<string, { offset: number; count: number }>();
  let left = MAX_COUNTED;
  for (const { index, 0: found } of text.matchAll(patternFor(text))) {
    const kind = kinds.get(nameOf(found));
    if (kind === undefined) kinds.set(nameOf(found), { offset: index, count: 1 });
    else kind.count += 1;
    left -= 1;
    if (left === 0) break;
  }
  return [...kinds].map(([name, { offset, count }]) => ({
    code: 'lint.hidden_text',
    message: `The text contains ${name}, which is invisible${count > 1 ? `, ${count} times` : ''}.`,
    place: atOffset(manifest, offset),
  }));
}

/** Finds hidden characters that double-quoted YAML contains as escapes. */
function spelledInValues(manifest: Manifest): readonly Finding[] {
  const found: Finding[] = [];
  for (const [key, value] of Object.entries(manifest.values)) {
    const text = JSON.stringify(value);
    const [hidden] = text.matchAll(patternFor(text));
    if (hidden === undefined || manifest.frontmatter.includes(hidden[0])) continue;
    found.push({
      code: 'lint.hidden_text',
      message: `\`${key}\` contains ${nameOf(hidden[0])}, which is invisible.`,
      place: atField(manifest, key),
    });
  }
  return found;
}

function patternFor(text: string): RegExp {
  return RIGHT_TO_LEFT.test(text) ? HIDDEN : HIDDEN_LEFT_TO_RIGHT;
}

function nameOf(found: string): string {
  const codePoint = found.codePointAt(0) ?? 0;
  const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  return found.length > 2 ? `a run of variation selectors (${name})` : name;
}
