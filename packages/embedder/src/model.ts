export interface DataFile {
  name: string;
  sha256: string;
}

/** Scale of each token, followed by the values of each token. */
export const TABLE: DataFile = {
  name: 'table.int4.bin',
  sha256: 'b1ed9bc98811de86c4633cd0ccbf3a5d0b8906c6bdd487be8f00844ce7bb739e',
};

/** Vocabulary with one token per line; the line number is the number of the token. */
export const VOCABULARY: DataFile = {
  name: 'vocab.txt',
  sha256: 'a95eab8a7b11f5f0b3479626b1d21b1160517e22ceca9aaa244badc78659b918',
};

/** The authors' description of the model, with its layout and origin. Only a test reads it. */
export const DESCRIPTION: DataFile = {
  name: 'config.json',
  sha256: 'e1347248b9ce80a03f95544184ed8a6f6d11f6ebfe83e52393757feffe6eec20',
};

export const DIMENSIONS = 256;

export const VOCABULARY_SIZE = 35_524;

/** Token of unknown words, which adds no meaning but counts toward the limit. */
export const UNKNOWN = 0;

export const MAX_TOKENS = 512;

/** Maximum length of a word; a longer one is unknown. */
export const MAX_WORD_LENGTH = 100;

/** The model. Another table gets another name, so that old and new vectors are never compared. */
export const MODEL = {
  name: `builtin-${TABLE.sha256.slice(0, 8)}`,
  dimensions: DIMENSIONS,
} as const;

/**
 * Minimum cosine of a match by meaning. Most unrelated texts are below it, and the ten best artifacts of measured
 * queries above (ADR-0050).
 */
export const MIN_SIMILARITY = 0.12;

/**
 * Minimum cosine of the nearest document for a query that shares no word with any document. Measured paraphrases reach
 * it (ADR-0076).
 */
export const MIN_NEAREST_SIMILARITY = 0.2;

/**
 * For the same queries, the nearest document also needs this cosine plus a share of the query's
 * similarity to the nearest everyday topic. No measured paraphrase is lost (ADR-0076).
 */
export const MIN_NEAREST_BASE = 0.158;
export const TOPIC_SHARE = 0.2;
