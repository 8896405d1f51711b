import type { PackageFile } from '@catalog/core/artifact/types';
import { z } from 'zod';

/** What a model can take in of one file, and of all files of a package. */
const LONGEST_FILE = 65_536;
const LONGEST_TOGETHER = 262_144;

/** A bundled file that only its size is told of. */
export const omittedResource = z.strictObject({ path: z.string(), size: z.number() });

interface InlineResources {
  resources: Record<string, string>;
  omitted_resources?: z.infer<typeof omittedResource>[];
}

/** The bundled files as text; what is none, or too long, by its size. */
export function inlineResources(files: readonly PackageFile[]): InlineResources {
  const texts: [path: string, text: string][] = [];
  const omitted: z.infer<typeof omittedResource>[] = [];
  let left = LONGEST_TOGETHER;
  for (const { path, bytes } of files) {
    const text = bytes.length <= Math.min(LONGEST_FILE, left) ? readText(bytes) : undefined;
    if (text === undefined) {
      omitted.push({ path, size: bytes.length });
    } else {
      texts.push([path, text]);
      left -= bytes.length;
    }
  }
  // Entry by entry: a file may have any name, `__proto__` too.
  const resources = Object.fromEntries(texts);
  return { resources, ...(omitted.length === 0 ? {} : { omitted_resources: omitted }) };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function readText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
