import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { encode, tokenize } from './encode.ts';
import {
  DESCRIPTION,
  DIMENSIONS,
  MAX_WORD_LENGTH,
  MODEL,
  MAX_TOKENS,
  TABLE,
  UNKNOWN,
  VOCABULARY,
  VOCABULARY_SIZE,
} from './model.ts';
import { DATA_FOLDER, readData } from './read-data.ts';

function cosine(one: string, other: string): number {
  const vector = encode(other);
  return encode(one).reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0);
}

describe('encode', () => {
  test('returns a vector of unit length', () => {
    const vector = encode('Combine several PDF files into one document.');
    expect(vector).toHaveLength(MODEL.dimensions);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
  });

  test.each(['', ' \n\t', '\u200B', 'x'.repeat(101), '\u{1F9FF}'])(
    'returns zeros if no token is known: %j',
    (text) => {
      expect(encode(text).every((value) => value === 0)).toBe(true);
    },
  );

  test('returns similar vectors for paraphrases', () => {
    const related = cosine('merge multiple pdfs', 'Combine several PDF files into one document.');
    const other = cosine('merge multiple pdfs', 'Rotate the certificates of a web server.');
    expect(related).toBeGreaterThan(other + 0.3);
  });

  test('ignores case, accents and invisible characters', () => {
    expect(encode('RÉSUMÉ\u0000 rev\u00ADiew')).toEqual(encode('resume review'));
  });

  test('uses only the first tokens', () => {
    expect(tokenize('invoice '.repeat(600))).toHaveLength(MAX_TOKENS);
    const early = tokenize(`${'invoice '.repeat(MAX_TOKENS - 1)}kubectl`);
    expect(early).toHaveLength(MAX_TOKENS);
    expect(tokenize(`${'invoice '.repeat(MAX_TOKENS)}report`)).toEqual(
      tokenize('invoice '.repeat(MAX_TOKENS)),
    );
  });
});

describe('model data', () => {
  test.each([TABLE, VOCABULARY, DESCRIPTION])('has the expected hash: $name', (file) => {
    expect(readData(file).length).toBeGreaterThan(0);
  });

  test('is rejected if a bit differs', () => {
    const folder = temporaryFolder();
    const bytes = readFileSync(join(DATA_FOLDER, VOCABULARY.name));
    bytes.writeUInt8(bytes.readUInt8(1000) ^ 1, 1000);
    writeFileSync(join(folder, VOCABULARY.name), bytes);
    expect(() => readData(VOCABULARY, folder)).toThrow(
      /vocab\.txt is damaged.*Install catalog again/,
    );
  });

  test('matches the description in config.json', () => {
    expect(JSON.parse(readData(DESCRIPTION).toString())).toMatchObject({
      table: TABLE.name,
      sha256: TABLE.sha256,
      bits: 4,
      dims: DIMENSIONS,
      vocab_size: VOCABULARY_SIZE,
      unk_id: UNKNOWN,
      unk_skipped: true,
      max_tokens: MAX_TOKENS,
      max_chars_per_word: MAX_WORD_LENGTH,
    });
  });
});
