/**
 * Characters that are invisible or can mislead: control characters, lone surrogates, line separators, directional
 * marks, and tags. The two joiners are allowed, because scripts and emoji need them.
 */
const UNPRINTABLE =
  /\u034F|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

const SHORT_SPELLINGS = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/**
 * Escapes every character that could move the cursor, start a new line or hide text. `lines` keeps line feeds and tabs;
 * `tabs` keeps tabs.
 */
export function escapeControls(
  text: string,
  keep: 'nothing' | 'tabs' | 'lines' = 'nothing',
): string {
  return text.replace(UNPRINTABLE, (character) => {
    if (keep !== 'nothing' && character === '\t') return character;
    if (keep === 'lines' && character === '\n') return character;
    return SHORT_SPELLINGS.get(character) ?? `\\u{${codePoint(character)}}`;
  });
}

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
