/** Accents and their kin; marks of other scripts carry meaning and stay. */
const ACCENTS = /[\u0300-\u036F]/g;

/** Letters that normalization leaves whole although people type them in plain letters. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
};
const LETTERS_TO_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** Compatibility forms and accents removed; capitals stay, since they part words. */
export function foldForms(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
}

/** Lower case and plain letters, of text whose forms are folded. */
export function foldCase(text: string): string {
  return text.toLowerCase().replace(LETTERS_TO_PLAIN, (letter) => PLAIN[letter] ?? letter);
}
