const K1 = 1.2;
const B = 0.75;
/**
 * Average length of a document. A constant, so that no artifact, even a hidden one, changes the score of another
 * (SPEC-26).
 */
const AVERAGE_LENGTH = 32;

/** Unit of impacts and rarities, which are integers: sums are equal in every engine and order, and far below 2^53. */
const IMPACT_UNIT = 2 ** 14;
const FREQUENCY_UNIT = 2 ** 16;

/** Maximum impact, which fits 16 bits. */
export const MAX_IMPACT = Math.round((K1 + 1) * IMPACT_UNIT);

/** Returns the contribution of a word to the score of a document, without its rarity: from 1 to `MAX_IMPACT`. */
export function impactOf(frequency: number, length: number): number {
  const damping = K1 * (1 - B + (B * length) / AVERAGE_LENGTH);
  return Math.max(1, Math.round((frequency * (K1 + 1) * IMPACT_UNIT) / (frequency + damping)));
}

/** Returns the rarity of a word that `holders` of `documents` have, at least 1. */
export function rarityOf(documents: number, holders: number): number {
  const rarity = Math.log1p((documents - holders + 0.5) / (holders + 0.5));
  return Math.max(1, Math.round(rarity * FREQUENCY_UNIT));
}

export function scoreOf(sum: number): number {
  return sum / (IMPACT_UNIT * FREQUENCY_UNIT);
}

export function sumOf(score: number): number {
  return score * (IMPACT_UNIT * FREQUENCY_UNIT);
}

/** Returns the maximum possible score of a query, with every word at its maximum impact. */
export function boundOf(rarities: readonly number[]): number {
  return scoreOf(MAX_IMPACT * rarities.reduce((sum, rarity) => sum + rarity, 0));
}
