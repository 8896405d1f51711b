import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Embedder, TextSide } from '../../ports/embedder.ts';

const DOCUMENTS = [
  'reset a forgotten password of an account',
  'deploy a service to the kubernetes cluster',
  'write the release notes of a new version',
  'review a pull request for security problems',
  'convert a spreadsheet to a chart',
];

export function embedderConformance(open: () => Promise<Embedder>): void {
  describe('embedder', () => {
    async function embed(
      embedder: Embedder,
      texts: readonly string[],
      side: TextSide = 'document',
    ): Promise<Float32Array[]> {
      return embedder.embed(texts, side, new AbortController().signal);
    }

    test('describes its model, floor and batch size', async () => {
      const { model, floor, batch_size } = await open();
      expect(model.name).toMatch(/^[a-z]+\/.+\/\d+\/t\d+$/);
      expect(model.name).toContain(`/${model.dimensions}/`);
      expect(floor).toBeGreaterThanOrEqual(-1);
      expect(floor).toBeLessThan(1);
      expect(batch_size).toBeGreaterThan(0);
    });

    test('returns a unit vector for each text in order', async () => {
      const embedder = await open();
      const vectors = await embed(embedder, DOCUMENTS);
      expect(vectors).toHaveLength(DOCUMENTS.length);
      for (const [index, vector] of vectors.entries()) {
        expect(vector).toBeInstanceOf(Float32Array);
        expect(vector).toHaveLength(embedder.model.dimensions);
        expect(cosine(vector, vector)).toBeCloseTo(1, 4);
        const [alone] = await embed(embedder, DOCUMENTS.slice(index, index + 1));
        expect(cosine(alone, vector)).toBeCloseTo(1, 4);
      }
      expect(await embed(embedder, [])).toEqual([]);
    });

    test('embeds a full batch and keeps the order of the texts', async () => {
      const embedder = await open();
      const texts = Array.from(
        { length: embedder.batch_size },
        (_, index) => `${DOCUMENTS[index % DOCUMENTS.length] ?? ''} number${index}`,
      );
      const vectors = await embed(embedder, texts);
      expect(vectors).toHaveLength(texts.length);
      for (const index of [0, 1, texts.length - 1]) {
        const [alone] = await embed(embedder, texts.slice(index).slice(0, 1));
        expect(cosine(alone, vectors[index])).toBeCloseTo(1, 4);
      }
    });

    test('places a query closest to its matching document', async () => {
      const embedder = await open();
      const documents = await embed(embedder, DOCUMENTS);
      for (const [index, question] of [
        [0, 'forgotten password'],
        [1, 'deploy to kubernetes'],
        [4, 'chart of a spreadsheet'],
      ] as const) {
        const [queryVector] = await embed(embedder, [question], 'query');
        const near = documents.map((document) => cosine(queryVector, document));
        expect(near.indexOf(Math.max(...near)), question).toBe(index);
      }
    });

    test('accepts texts of any kind and length', async () => {
      const embedder = await open();
      const text = fc.oneof(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.constantFrom('\ud800', 'a\udc00b', '\u0000', ' ', '"\\\n', 'x'.repeat(100_000), '🦙'),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (texts) => {
          const vectors = await embed(embedder, texts);
          expect(vectors).toHaveLength(texts.length);
          for (const vector of vectors) {
            expect(vector).toHaveLength(embedder.model.dimensions);
            const length = cosine(vector, vector);
            // The zero vector means that the model knows none of the words.
            if (length !== 0) expect(length).toBeCloseTo(1, 4);
          }
        }),
        { numRuns: 30 },
      );
    });

    test('stops if the signal is aborted', async () => {
      const embedder = await open();
      const reason = new Error('nobody waits any more');
      const stopped = embedder.embed(DOCUMENTS, 'document', AbortSignal.abort(reason));
      await expect(stopped).rejects.toBe(reason);
      await expect(embedder.embed(['a'], 'query', AbortSignal.abort(reason))).rejects.toBe(reason);
    });
  });
}

function cosine(one: Float32Array | undefined, other: Float32Array | undefined): number {
  let sum = 0;
  for (const [index, value] of (one ?? []).entries()) sum += value * (other?.[index] ?? 0);
  return sum;
}
