const K1 = 1.2;
const B = 0.75;
/** A constant, so that no artifact, in particular a hidden one, changes the score of another (SPEC-26). */
const AVERAGE_LENGTH = 32;

/**
 * Impacts and rarities are integers in these units, so a score is a sum of integers: identical in
 * every engine, in any order of addition. Sums stay far below 2^53.
 */
const IMPACT_UNIT = 2 ** 14;
const FREQUENCY_UNIT = 2 ** 16;

/** Maximum impact; fits 16 bits. */
export const MAX_IMPACT = Math.round((K1 + 1) * IMPACT_UNIT);

/**
 * Returns the contribution of a word to content of the given length, without its rarity: from 1 to
 * `MAX_IMPACT`.
 */
export function impactOf(frequency: number, length: number): number {
  const damping = K1 * (1 - B + (B * length) / AVERAGE_LENGTH);
  return Math.max(1, Math.round((frequency * (K1 + 1) * IMPACT_UNIT) / (frequency + damping)));
}

/**
 * Returns the rarity of a word that `holders` of `documents` contain; at least 1, so that a match
 * always counts.
 */
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

/** Uses every word of the query at its maximum impact, including absent ones. */
export function boundOf(rarities: readonly number[]): number {
  return scoreOf(MAX_IMPACT * rarities.reduce((sum, rarity) => sum + rarity, 0));
}
