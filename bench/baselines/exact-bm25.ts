import type { SearchDocument } from '@catalog/core/ports/search-index';
import { tokenize } from '@catalog/core/search/tokenize';

const K1 = 1.2;
const B = 0.75;
const AVERAGE_LENGTH = 32;

/** Documents with a term: their positions in the input, and the term's part of the score in each. */
export interface ExactPostings {
  places: number[];
  quotients: number[];
}

/** Computes the scores of terms in floating point, without the inverse document frequency. */
export function collectPostings(
  documents: Iterable<SearchDocument>,
  isWanted: (term: string) => boolean,
): Map<string, ExactPostings> {
  const postings = new Map<string, ExactPostings>();
  let place = 0;
  for (const document of documents) {
    const { frequencies, length } = countTerms(document, isWanted);
    const damping = K1 * (1 - B + (B * length) / AVERAGE_LENGTH);
    for (const [term, frequency] of frequencies) {
      const known = postings.get(term) ?? { places: [], quotients: [] };
      postings.set(term, known);
      known.places.push(place);
      known.quotients.push((frequency * (K1 + 1)) / (frequency + damping));
    }
    place += 1;
  }
  return postings;
}

function countTerms(
  { name, tags, description, when_to_use, id }: SearchDocument,
  isWanted: (term: string) => boolean,
): { frequencies: Map<string, number>; length: number } {
  const frequencies = new Map<string, number>();
  let length = 0;
  const parts: [text: string, weight: number][] = [
    [name, 3],
    [tags.join('\n'), 2],
    [description, 1],
    [when_to_use.join('\n'), 1],
    [id, 1],
  ];
  for (const [text, weight] of parts) {
    for (const token of tokenize(text, 'document')) {
      length += token.length;
      for (const term of token.terms) {
        if (isWanted(term)) frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
      }
    }
  }
  return { frequencies, length };
}
