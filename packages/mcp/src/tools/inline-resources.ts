import type { PackageFile } from '@catalog/core/artifact/types';
import { z } from 'zod';

/** Maximum size of one file, and of all files of a package, in a response for a model. */
const MAX_FILE_BYTES = 65_536;
const MAX_TOTAL_BYTES = 262_144;

export const omittedResource = z.strictObject({ path: z.string(), size: z.number() });

interface InlineResources {
  resources: Record<string, string>;
  omitted_resources?: z.infer<typeof omittedResource>[];
}

/** Returns small text files. Others are listed with their size. */
export function inlineResources(files: readonly PackageFile[]): InlineResources {
  const texts: [path: string, text: string][] = [];
  const omitted: z.infer<typeof omittedResource>[] = [];
  let left = MAX_TOTAL_BYTES;
  for (const { path, bytes } of files) {
    const text = bytes.length <= Math.min(MAX_FILE_BYTES, left) ? readText(bytes) : undefined;
    if (text === undefined) {
      omitted.push({ path, size: bytes.length });
    } else {
      texts.push([path, text]);
      left -= bytes.length;
    }
  }
  // Built from entries, because a file can have any name, including `__proto__`.
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
