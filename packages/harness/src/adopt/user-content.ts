import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import { jsonHash } from '@catalog/core/canonical-json';
import { INDEX_KEY, TAG_KEY } from '../managed/json/find-entries.ts';
import { findBlocks } from '../managed/markdown/find-blocks.ts';
import type { SkippedContent } from './adopt-source.ts';
import type { OwnedFiles } from './candidate.ts';

export function userText(text: string, file: string): string | SkippedContent {
  try {
    let own = '';
    let offset = text.startsWith('\uFEFF') ? 1 : 0;
    for (const { start, end } of findBlocks(text, new Set(), file)) {
      own += text.slice(offset, start);
      offset = end;
    }
    return own + text.slice(offset);
  } catch (error) {
    if (error instanceof CatalogError) return { left: error.message };
    throw error;
  }
}

/** Removes elements of catalog, identified by mark, lock or script. */
export function withoutManaged(
  events: JsonObject,
  path: string,
  { entries }: OwnedFiles,
): { events: JsonObject; removed: boolean } {
  const hashes = new Set(entries.filter((one) => one.path === path).map(({ hash }) => hash));
  let removed = false;
  const own = Object.entries(events).map(([event, list]): [string, Json] => {
    if (!Array.isArray(list)) return [event, list];
    const kept = list.filter((element) => !isOurElement(element, hashes));
    removed ||= kept.length < list.length;
    return [event, kept];
  });
  return { events: Object.fromEntries(own), removed };
}

function isOurElement(element: Json, hashes: ReadonlySet<string>): boolean {
  if (!isJsonObject(element)) return false;
  if (element[TAG_KEY] !== undefined || hashes.has(jsonHash(element))) return true;
  return JSON.stringify(element).includes('.catalog/hooks/');
}

/** Returns true for a member of catalog, which the index in the file or the lock contains. */
export function isManagedMember(
  values: JsonObject,
  path: string,
  at: readonly string[],
  { entries }: OwnedFiles,
): boolean {
  const spelled = JSON.stringify(at);
  const index = values[INDEX_KEY];
  const marks = isJsonObject(index) ? Object.values(index) : [];
  return (
    marks.some((mark) => JSON.stringify(mark) === spelled) ||
    entries.some(
      (entry) => entry.path === path && JSON.stringify([...entry.container, entry.key]) === spelled,
    )
  );
}
