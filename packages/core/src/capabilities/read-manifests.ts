import { bytesHash } from '../artifact/content-hash.ts';
import { readMcpServer } from '../artifact/mcp-server.ts';
import type { Artifact, Manifest } from '../artifact/types.ts';
import { jsonHash } from '../canonical-json.ts';
import type { Json, JsonObject } from '../json.ts';
import { MAX_DEPTH } from '../manifest/pre-scan.ts';
import { joinReadings, type Reading } from './capability-reading.ts';
import type { ExecutableCapability } from './capability.ts';
import { readInlineCommands } from './inline-commands.ts';
import { commandLine, textOf } from './read-invocation.ts';
import { readKeys } from './read-keys.ts';
import { readServer } from './read-servers.ts';

/** Keys of catalog itself that describe a hook or an MCP server for any harness. */
const HOOK_KEYS = ['hook_event', 'hook_action', 'hook_matcher'];
const SERVER_KEYS = ['server_identifier', 'command', 'args', 'env', 'url', 'headers', 'transport'];

/** Reads `ARTIFACT.md` and `SKILL.md`. */
export function readManifests(artifact: Artifact): Reading {
  const { manifest, skill } = artifact;
  const readings: Reading[] = [];
  if (manifest !== undefined) {
    const file = 'ARTIFACT.md';
    const own = artifact.type === 'mcp-server' ? [...HOOK_KEYS, ...SERVER_KEYS] : HOOK_KEYS;
    readings.push(readOwnKeys(artifact, manifest.values, file));
    readings.push(readManifest(manifest, file, own));
  }
  if (skill !== undefined) readings.push(readManifest(skill, 'SKILL.md', []));
  return joinReadings(readings);
}

function readManifest(manifest: Manifest, file: string, except: readonly string[]): Reading {
  const { text, values, body } = manifest;
  if (isTooDeep(values)) {
    const hash = bytesHash(text);
    return { capabilities: [{ kind: 'unreadable_file', file, hash }], mentions: [] };
  }
  return joinReadings([
    readKeys(without(values, except), file),
    readInlineCommands(body, file),
    // Claude Code ends frontmatter at the first `---`, even inside a value, and expands the rest.
    readInlineCommands(text, file),
  ]);
}

function readOwnKeys(artifact: Artifact, values: JsonObject, file: string): Reading {
  const capabilities: ExecutableCapability[] = [];
  const { hook_event: event, hook_action: action, hook_matcher: matcher } = values;
  if (isGiven(action)) {
    capabilities.push({
      kind: 'hook',
      file,
      event: isGiven(event) ? textOf(event) : '',
      ...(isGiven(matcher) ? { matcher: textOf(matcher) } : {}),
      action: 'command',
      ...commandLine([textOf(action)]),
      hash: jsonHash(isGiven(matcher) ? [matcher, action] : action),
    });
  }
  const server = only(values, SERVER_KEYS);
  if (artifact.type === 'mcp-server' && Object.keys(server).length > 0) {
    const delivered = readMcpServer(artifact.fields);
    const { hash } = readServer(artifact.name, server, file);
    const shown = delivered === undefined ? server : { ...delivered, transport: null };
    capabilities.push({ ...readServer(artifact.name, shown, file), hash });
  }
  return { capabilities, mentions: capabilities.length === 0 ? [] : [action ?? null, server] };
}

function isGiven(value: Json | undefined): value is Json {
  return value !== undefined && value !== null && value !== '';
}

function only(values: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([key]) => keys.includes(key)));
}

function without(values: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
}

/** Guards against values that did not come from `readManifest`, which rejects deep nesting. */
function isTooDeep(values: JsonObject): boolean {
  let level: Json[] = [values];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}
