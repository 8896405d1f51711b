import type { Json } from '../json.ts';
import { MAX_DEPTH } from '../manifest/pre-scan.ts';

/** Parses JSON with comments in linear time. Returns undefined if it is invalid or nested too deep. */
export function parseJsonWithComments(text: string): Json | undefined {
  const plain = withoutComments(text.replace(/^\uFEFF/, ''));
  if (plain === undefined) return undefined;
  try {
    return JSON.parse(plain);
  } catch {
    return undefined;
  }
}

function withoutComments(text: string): string | undefined {
  const kept: string[] = [];
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const sign = text[at] ?? '';
    const end = tokenEnd(text, at);
    if (sign === '{' || sign === '[') depth += 1;
    if (sign === '}' || sign === ']') {
      depth -= 1;
      if (kept.at(-1) === ',') kept.pop();
    }
    if (depth > MAX_DEPTH) return undefined;
    const isKept = !/\s/.test(sign) && (sign !== '/' || end === at + 1);
    if (isKept) kept.push(text.slice(at, end));
    at = end;
  }
  return kept.join('');
}

function tokenEnd(text: string, at: number): number {
  if (text[at] === '"') return stringEnd(text, at);
  if (text.startsWith('//', at)) return endOf(text, '\n', at);
  return text.startsWith('/*', at) ? endOf(text, '*/', at + 2) : at + 1;
}

function stringEnd(text: string, at: number): number {
  for (let index = at + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '"') return index + 1;
  }
  return text.length;
}

function endOf(text: string, sign: string, from: number): number {
  const found = text.indexOf(sign, from);
  return found === -1 ? text.length : found + sign.length;
}
