import type { ArtifactRecord } from '@catalog/contract/records/artifact';

export interface RecordFile {
  path: string;
  /** Content; undefined if the file is too large to be inline. */
  bytes: Uint8Array<ArrayBuffer> | undefined;
  size: number;
  executable: boolean;
  isManifest: boolean;
  url?: string;
}

export function listFiles(record: ArtifactRecord): RecordFile[] {
  const { resources, resources_base64, large_resources, executable = [] } = record;
  const manifests = [
    manifest(
      'ARTIFACT.md',
      record.manifest_body,
      record.manifest_body_url,
      record.manifest_body_size,
    ),
    manifest('SKILL.md', record.skill_body, record.skill_body_url, record.skill_body_size),
  ].flat();
  const inline = Object.entries(resources).map(([path, text]) => {
    const bytes = resources_base64 === true ? fromBase64(text) : new TextEncoder().encode(text);
    return { path, bytes, size: bytes.length };
  });
  const large = Object.entries(large_resources).map(([path, { presigned_url, size }]) => ({
    path,
    bytes: undefined,
    size,
    url: presigned_url,
  }));
  const bundled = [...inline, ...large]
    .map((file) => ({ ...file, executable: executable.includes(file.path), isManifest: false }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return [...manifests, ...bundled];
}

function manifest(
  path: string,
  text: string | undefined,
  url: string | undefined,
  size = 0,
): RecordFile[] {
  const file = { path, executable: false, isManifest: true };
  if (url !== undefined) return [{ ...file, bytes: undefined, size, url }];
  if (text === undefined || text === '') return [];
  const bytes = new TextEncoder().encode(text);
  return [{ ...file, bytes, size: bytes.length }];
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0);
}

/** Decodes UTF-8; undefined if the content is not text or contains NUL. */
export function toText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
