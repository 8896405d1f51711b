import { bytesHash } from '@catalog/core/artifact/content-hash';
import { tokenize } from '@catalog/core/search/tokenize';

/**
 * Embeds text for tests: strings with the same terms have the same vector, and those without a common term a similarity
 * near zero.
 */
export function embedText(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const terms = tokenize(text, 'document').flatMap((token) => token.terms);
  for (const term of terms.length > 0 ? terms : ['']) {
    for (let place = 0; place < dimensions; place += 1) {
      vector[place] = (vector[place] ?? 0) + directionOf(term, place);
    }
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

const HEX = 'sha256:'.length;
const DIGITS = 64;

function directionOf(term: string, place: number): number {
  const hash = hashOf(`${Math.floor(place / DIGITS)} ${term}`);
  return Number.parseInt(hash.charAt(HEX + (place % DIGITS)), 16) / 7.5 - 1;
}

const hashes = new Map<string, string>();

function hashOf(text: string): string {
  const known = hashes.get(text);
  if (known !== undefined) return known;
  const hash = bytesHash(text);
  hashes.set(text, hash);
  return hash;
}
