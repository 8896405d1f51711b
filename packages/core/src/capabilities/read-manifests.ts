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
import { argumentNames, hasExcessNames } from './remove-placeholders.ts';
import { readServer } from './read-servers.ts';
import { unlistedCommands } from './unlisted-commands.ts';

const HOOK_KEYS = ['hook_event', 'hook_action', 'hook_matcher'];
const SERVER_KEYS = ['server_identifier', 'command', 'args', 'env', 'url', 'headers', 'transport'];

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
  const unreadable = { kind: 'unreadable_file' as const, file, hash: bytesHash(text) };
  if (isTooDeep(values)) return { capabilities: [unreadable], mentions: [] };
  const names = argumentNames(values['arguments']);
  return joinReadings([
    { capabilities: hasExcessNames(names) ? [unreadable] : [], mentions: [] },
    readKeys(without(values, except), file),
    readInlineCommands(body, file, names),
    // Claude Code ends frontmatter at the first `---`, even inside a value, and runs commands in the rest.
    readInlineCommands(text, file, names),
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
    const { hash } = readServer(artifact.name, { ...server, ...limitsOf(values) }, file);
    const shown = delivered === undefined ? server : { ...delivered, transport: null };
    const found = { ...readServer(artifact.name, shown, file), hash };
    capabilities.push(found, ...unlistedCommands(server, [found], { file, key: '' }, false));
  }
  return { capabilities, mentions: capabilities.length === 0 ? [] : [action ?? null, server] };
}

/**
 * Returns whether a server has a list of allowed tools, and its denied tools. Each allowed tool is a separate
 * capability, so that a shorter list needs no approval.
 */
function limitsOf({ allowed_tools, denied_tools }: JsonObject): JsonObject {
  return {
    ...(isGiven(allowed_tools) ? { allowed_tools: true } : {}),
    ...(isGiven(denied_tools) ? { denied_tools } : {}),
  };
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

/** Guards against values from other sources than `readManifest`, which rejects deep nesting. */
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
