import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { encode, tokenize } from './encode.ts';
import {
  DESCRIPTION,
  DIMENSIONS,
  LONGEST_WORD,
  MODEL,
  MOST_TOKENS,
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

describe('a vector', () => {
  test('has unit length', () => {
    const vector = encode('Combine several PDF files into one document.');
    expect(vector).toHaveLength(MODEL.dimensions);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
  });

  test.each(['', ' \n\t', '\u200B', 'x'.repeat(101), '\u{1F9FF}'])(
    'is zero where nothing of the text is known: %j',
    (text) => {
      expect(encode(text).every((value) => value === 0)).toBe(true);
    },
  );

  test('is near that of a text that means the same in other words', () => {
    const related = cosine('merge multiple pdfs', 'Combine several PDF files into one document.');
    const other = cosine('merge multiple pdfs', 'Rotate the certificates of a web server.');
    expect(related).toBeGreaterThan(other + 0.3);
  });

  test('does not see case, accents and what cannot be seen', () => {
    expect(encode('RÉSUMÉ\u0000 rev\u00ADiew')).toEqual(encode('resume review'));
  });

  test('is made of the first tokens only', () => {
    expect(tokenize('invoice '.repeat(600))).toHaveLength(MOST_TOKENS);
    // The last of the first tokens is in the middle of a word here.
    const early = tokenize(`${'invoice '.repeat(MOST_TOKENS - 1)}kubectl`);
    expect(early).toHaveLength(MOST_TOKENS);
    expect(tokenize(`${'invoice '.repeat(MOST_TOKENS)}report`)).toEqual(
      tokenize('invoice '.repeat(MOST_TOKENS)),
    );
  });
});

describe('the data', () => {
  test.each([TABLE, VOCABULARY, DESCRIPTION])('is what it was made as: $name', (file) => {
    expect(readData(file).length).toBeGreaterThan(0);
  });

  test('is refused when a bit of it is another', () => {
    const folder = temporaryFolder();
    const bytes = readFileSync(join(DATA_FOLDER, VOCABULARY.name));
    bytes.writeUInt8(bytes.readUInt8(1000) ^ 1, 1000);
    writeFileSync(join(folder, VOCABULARY.name), bytes);
    expect(() => readData(VOCABULARY, folder)).toThrow(
      /vocab\.txt is damaged.*Install catalog again/,
    );
  });

  test('is described as it is read', () => {
    expect(JSON.parse(readData(DESCRIPTION).toString())).toMatchObject({
      table: TABLE.name,
      sha256: TABLE.sha256,
      bits: 4,
      dims: DIMENSIONS,
      vocab_size: VOCABULARY_SIZE,
      unk_id: UNKNOWN,
      unk_skipped: true,
      max_tokens: MOST_TOKENS,
      max_chars_per_word: LONGEST_WORD,
    });
  });
});
