/** What a file of the model must be, to the byte. */
export interface DataFile {
  name: string;
  sha256: string;
}

/** For each token its scale, then for each its row of packed values. */
export const TABLE: DataFile = {
  name: 'table.int4.bin',
  sha256: 'b1ed9bc98811de86c4633cd0ccbf3a5d0b8906c6bdd487be8f00844ce7bb739e',
};

/** One token in a line; its number is the number of its line. */
export const VOCABULARY: DataFile = {
  name: 'vocab.txt',
  sha256: 'a95eab8a7b11f5f0b3479626b1d21b1160517e22ceca9aaa244badc78659b918',
};

/** The model in its makers' words: layout and origin. No program reads it; a test holds it to this file. */
export const DESCRIPTION: DataFile = {
  name: 'config.json',
  sha256: 'e1347248b9ce80a03f95544184ed8a6f6d11f6ebfe83e52393757feffe6eec20',
};

/** The length of a vector. */
export const DIMENSIONS = 256;

export const VOCABULARY_SIZE = 35_524;

/** The token of a word that no pieces make up. It says nothing, and only counts as one of the first. */
export const UNKNOWN = 0;

/** The tokens of a text that are looked at. */
export const MOST_TOKENS = 512;

/** The characters of a word; a longer one is unknown. */
export const LONGEST_WORD = 100;

/** Names the vectors: another table gets another name, so that old and new are never compared. */
export const MODEL = {
  name: `builtin-${TABLE.sha256.slice(0, 8)}`,
  dimensions: DIMENSIONS,
} as const;

/**
 * Minimum cosine of a match by meaning. Most unrelated texts are below it, and the artifacts that the measured
 * queries have among the first ten are above it (ADR-0050).
 */
export const FLOOR = 0.12;

/**
 * Minimum cosine of the nearest document for a query without a word of any document. The measured paraphrases
 * that find their artifact among the first ten reach it (ADR-0076).
 */
export const LEAST_NEAREST = 0.2;
