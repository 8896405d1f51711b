import { join } from 'node:path';
import { parseJsonWithComments } from '@catalog/core/capabilities/json-with-comments';
import { isJsonObject, type JsonObject } from '@catalog/core/json';
import { isMissing } from '@catalog/core/node/is-missing';
import { MAX_TEXT_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import type { HarnessAdapter, UserSettings } from '@catalog/harness/adapter';

export function userSettings(
  { reads_settings }: HarnessAdapter,
  directory: string,
  home: string,
): UserSettings | undefined {
  if (reads_settings === undefined) return undefined;
  const { members, home: of_home, workspace } = reads_settings;
  const settings: UserSettings = { documents: [], unreadable: [] };
  const add = (path: string, shown: string): void => {
    const document = readDocument(path);
    if (document === 'unreadable') settings.unreadable.push(shown);
    else if (document !== undefined) settings.documents.push(pick(document, members));
  };
  for (const path of of_home) add(join(home, path), `~/${path}`);
  if (directory !== home) for (const path of workspace) add(join(directory, path), path);
  return settings;
}

function readDocument(path: string): JsonObject | 'unreadable' | undefined {
  try {
    const text = readRegularFile(path, MAX_TEXT_BYTES).toString('utf8');
    const document = parseJsonWithComments(text);
    return isJsonObject(document) ? document : 'unreadable';
  } catch (cause) {
    return isMissing(cause) ? undefined : 'unreadable';
  }
}

function pick(document: JsonObject, members: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([name]) => members.includes(name)));
}
