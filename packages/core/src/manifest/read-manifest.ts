import type { Manifest } from '../artifact/types.ts';
import type { Diagnostic } from '../lint/diagnostic.ts';
import { diagnose, type Place } from './diagnose.ts';
import { findHiddenCharacter } from './hidden-characters.ts';
import { positionAt } from './position.ts';
import { readYaml } from './read-yaml.ts';
import type { Refusal } from './refusal.ts';

/** Maximum size of a parsed manifest; lint rejects much smaller ones. */
export const MAX_MANIFEST_BYTES = 1_048_576;

export type ManifestReading =
  | { kind: 'ok'; manifest: Manifest }
  | { kind: 'refused'; problems: Diagnostic[] };

/** The byte order mark is kept, because the authored bytes must be reproducible. */
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Parses a manifest in linear time. Rejects dangerous input with its position. Never throws. */
export function readManifest(bytes: Uint8Array, place: Place): ManifestReading {
  if (bytes.length > MAX_MANIFEST_BYTES) return refused(tooLarge(bytes), '', place);
  const text = decode(bytes);
  if (text === undefined) return refusedEncoding(bytes, place);
  const hidden = findHiddenCharacter(text);
  if (hidden !== undefined) {
    return refused(
      {
        code: 'lint.hidden_character',
        message: `The file contains ${hidden.description}.`,
        fix: 'Remove the character, or describe it in words.',
        offset: hidden.offset,
      },
      text,
      place,
    );
  }
  const parts = splitFrontmatter(text);
  if (parts.kind === 'refused') return refused(parts.refusal, text, place);
  const yaml = readYaml(parts.frontmatter);
  if (yaml.kind === 'refused') {
    const { refusal } = yaml;
    return refused({ ...refusal, offset: refusal.offset + parts.start }, text, place);
  }
  const { frontmatter, body, body_line } = parts;
  return {
    kind: 'ok',
    manifest: { file: place.file, text, frontmatter, values: yaml.values, body, body_line },
  };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

type Split =
  | { kind: 'split'; frontmatter: string; start: number; body: string; body_line: number }
  | { kind: 'refused'; refusal: Refusal };

const OPENING_FENCE = /^\uFEFF?---\r?\n/;

/** Splits a file at two `---` lines, of which the first must be the first line of the file. */
function splitFrontmatter(text: string): Split {
  const start = OPENING_FENCE.exec(text)?.[0].length;
  if (start === undefined) {
    return notFenced(
      'The file does not start with frontmatter.',
      'Start the file with a line of exactly `---`, then `key: value` lines, then a line of exactly `---`.',
    );
  }
  for (let at = text.indexOf('\n---', start - 1); at !== -1; at = text.indexOf('\n---', at + 4)) {
    const rest = at + 4;
    const lineFeed = text.startsWith('\r\n', rest) ? rest + 1 : rest;
    if (lineFeed < text.length && text[lineFeed] !== '\n') continue;
    const frontmatter = text.slice(start, at + 1);
    const body_line = countLineFeeds(frontmatter) + 3;
    return { kind: 'split', frontmatter, start, body: text.slice(lineFeed + 1), body_line };
  }
  return notFenced(
    'The frontmatter is not closed.',
    'Put a line of exactly `---` after the last key.',
  );
}

function notFenced(message: string, fix: string): Split {
  return {
    kind: 'refused',
    refusal: { code: 'lint.frontmatter_missing', message, fix, offset: 0 },
  };
}

function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function refused(refusal: Refusal, text: string, place: Place): ManifestReading {
  const problem = diagnose(refusal, 'error', positionAt(text, refusal.offset), place);
  return { kind: 'refused', problems: [problem] };
}

function tooLarge(bytes: Uint8Array): Refusal {
  return {
    code: 'lint.manifest_size',
    message: `The file has ${bytes.length} bytes; the limit for a manifest is ${MAX_MANIFEST_BYTES}.`,
    fix: 'Move text into bundled files and link to them.',
    offset: 0,
  };
}

/** Finds the first byte that is not UTF-8, where a lenient decoding and its encoding differ. */
function refusedEncoding(bytes: Uint8Array, place: Place): ManifestReading {
  const text = lenientDecoder.decode(bytes);
  const again = Buffer.from(text);
  const differs = again.findIndex((byte, index) => byte !== bytes[index]);
  const refusal: Refusal = {
    code: 'lint.invalid_encoding',
    message: `Byte ${differs + 1} of the file is not UTF-8.`,
    fix: 'Save the file as UTF-8. Move binary content to a bundled file.',
    offset: lenientDecoder.decode(bytes.subarray(0, differs)).length,
  };
  return refused(refusal, text, place);
}
