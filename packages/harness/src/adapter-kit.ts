import { NO_EVENTS } from './define-harness.ts';
import {
  describePlugin,
  listDocument,
  pluginDocument,
  sourceOf,
} from './marketplace/plugin-documents.ts';
import { manifestText, markedBody } from './place/document-text.ts';
import { groupedHook } from './place/hook-forms.ts';
import { mcpEntry } from './place/mcp-server.ts';
import {
  authoredNames,
  authoredText,
  projectDocument as project,
  type ProjectedKey,
} from './place/project-frontmatter.ts';
import { alwaysLoadedModes } from './place/rule-modes.ts';
import { splitGlobs } from './place/split-globs.ts';
import { UNREAD_FIELDS } from './place/unread-fields.ts';
import type { Artifact } from '@catalog/core/artifact/types';
import { isJsonObject, type JsonObject } from '@catalog/core/json';
import { tomlDocument as writeToml } from './place/toml-text.ts';

/** Functions for adapters of third parties, passed as an argument because such an adapter imports nothing. */
export const adapterKit = {
  /** Events without any support, to spread and override. */
  no_events: NO_EVENTS,
  /** Fields without any support, to spread and override. */
  unread_fields: UNREAD_FIELDS,
  authoredNames,
  authoredText,
  groupedHook,
  loadedAlways: alwaysLoadedModes,
  manifestText,
  markedBody,
  mcpEntry,
  projectDocument,
  splitGlobs,
  tomlDocument,
  plugins: { about: describePlugin, listDocument, pluginDocument, sourceOf },
} as const;

export type AdapterKit = typeof adapterKit;

/** Checks the arguments, which may come from untyped code. */
function projectDocument(
  artifact: Artifact,
  keys: readonly ProjectedKey[],
  prose?: string,
): string {
  const isPairs =
    Array.isArray(keys) &&
    keys.every((pair: unknown) => Array.isArray(pair) && typeof pair[0] === 'string');
  if (!isPairs) {
    throw new TypeError(
      "kit.projectDocument takes the artifact and a list of pairs, [['name', value], ...]",
    );
  }
  if (prose !== undefined && typeof prose !== 'string') {
    throw new TypeError('kit.projectDocument takes a string as its prose');
  }
  return prose === undefined ? project(artifact, keys) : project(artifact, keys, prose);
}

/** Checks the arguments, which may come from untyped code. */
function tomlDocument(members: JsonObject): string {
  if (!isJsonObject(members)) {
    throw new TypeError('kit.tomlDocument takes an object, {name: value, ...}');
  }
  return writeToml(members);
}
