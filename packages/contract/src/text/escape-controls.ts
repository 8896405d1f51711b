/**
 * What a terminal, a log or an eye takes for something else than text: control characters, lone
 * surrogates, line separators, directional marks and overrides, invisible characters, the tag
 * block. The two joiners stay: scripts and emoji are written with them.
 */
const UNPRINTABLE =
  /\u034F|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

const SHORT_SPELLINGS = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/**
 * Text that somebody else wrote, made safe to print: everything that could move the cursor, start a
 * line of its own or hide is spelled out. `lines` keeps line feeds and tabs, for text that is shown
 * as it was laid out; `tabs` keeps tabs only, for one line of such a text.
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
