/** How soon a word repeated says nothing new. */
const K1 = 1.2;
/** How much a long text counts against its words. */
const B = 0.75;
/**
 * Words of an ordinary artifact. A constant and not measured, so that no artifact, least of all a
 * hidden one, changes another's score (SPEC-26).
 */
const AVERAGE_LENGTH = 32;

/**
 * Impacts and inverse frequencies are whole numbers of these units, so a score is a sum of whole
 * numbers: the same in every engine, in whatever order it adds. Together they stay far below 2^53.
 */
const IMPACT_UNIT = 2 ** 14;
const FREQUENCY_UNIT = 2 ** 16;

/** The largest impact there is; it fits sixteen bits. */
export const MAX_IMPACT = Math.round((K1 + 1) * IMPACT_UNIT);

/** What a word contributes to a text of so many words, before its rarity: from 1 to `MAX_IMPACT`. */
export function impactOf(frequency: number, length: number): number {
  const damping = K1 * (1 - B + (B * length) / AVERAGE_LENGTH);
  return Math.max(1, Math.round((frequency * (K1 + 1) * IMPACT_UNIT) / (frequency + damping)));
}

/** How rare a word is when `holders` of `documents` have it; at least 1, so that a match always counts. */
export function rarityOf(documents: number, holders: number): number {
  const rarity = Math.log1p((documents - holders + 0.5) / (holders + 0.5));
  return Math.max(1, Math.round(rarity * FREQUENCY_UNIT));
}

/** A sum of products of rarity and impact as the BM25 score it stands for. */
export function scoreOf(sum: number): number {
  return sum / (IMPACT_UNIT * FREQUENCY_UNIT);
}

/** The sum that stands for a score. */
export function sumOf(score: number): number {
  return score * (IMPACT_UNIT * FREQUENCY_UNIT);
}

/** The score no text can pass: every word of the query at its largest impact, absent ones too. */
export function boundOf(rarities: readonly number[]): number {
  return scoreOf(MAX_IMPACT * rarities.reduce((sum, rarity) => sum + rarity, 0));
}
