import type { McpServer } from '@catalog/core/artifact/mcp-server';
import type { Artifact } from '@catalog/core/artifact/types';
import { isJsonObject, type JsonObject } from '@catalog/core/json';
import type { ArtifactWarning, McpConfig } from '../adapter.ts';
import type { ServerLimits, ToolExposure } from './mcp-server.ts';

export function withLimits(config: McpConfig): McpConfig {
  const { entry, limits } = config;
  if (limits === undefined) return config;
  return { ...config, entry: (server) => merged(entry(server), limitMembers(server, limits)) };
}

function limitMembers(
  server: McpServer,
  { allowed, denied, timeout, exposure }: ServerLimits,
): JsonObject {
  const { allowed_tools, denied_tools = [], timeout: seconds } = server;
  // A product without a list of denied tools gets fewer allowed ones.
  const without = new Set(denied === undefined ? denied_tools : []);
  const offered = allowed_tools?.filter((tool) => !without.has(tool));
  return [
    exposure === undefined ? {} : exposureMembers(exposure, offered, denied_tools),
    allowed === undefined || offered === undefined ? {} : nested(allowed, offered),
    denied === undefined || denied_tools.length === 0 ? {} : nested(denied, denied_tools),
    timeout === undefined || seconds === undefined
      ? {}
      : { [timeout.member]: seconds * timeout.parts },
  ].reduce<JsonObject>(merged, {});
}

function exposureMembers(
  { server, tools, hidden, shown }: ToolExposure,
  offered: readonly string[] | undefined,
  denied: readonly string[],
): JsonObject {
  const exceptions =
    offered === undefined
      ? denied.map((tool) => [tool, hidden])
      : offered.map((tool) => [tool, shown]);
  return {
    ...(offered === undefined ? {} : { [server]: hidden }),
    ...(exceptions.length === 0 ? {} : { [tools]: Object.fromEntries(exceptions) }),
  };
}

function nested(path: readonly string[], tools: readonly string[]): JsonObject {
  const [first = '', ...rest] = path;
  return { [first]: rest.length === 0 ? [...tools] : nested(rest, tools) };
}

function merged(one: JsonObject, other: JsonObject): JsonObject {
  const all = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = all[key];
    all[key] = isJsonObject(before) && isJsonObject(value) ? merged(before, value) : value;
  }
  return all;
}

export function limitWarnings(
  { allowed_tools, denied_tools = [], timeout }: Artifact['fields'],
  limits: ServerLimits = {},
): ArtifactWarning[] {
  const { partial, exposure } = limits;
  const { allowed = exposure, denied = exposure } = limits;
  const reasons = [
    ...(allowed_tools !== undefined && allowed === undefined
      ? ['`allowed_tools` is not written, so the server offers all its tools']
      : []),
    ...(allowed_tools !== undefined && partial !== undefined ? [partial] : []),
    ...(denied_tools.length > 0 &&
    denied === undefined &&
    (allowed === undefined || allowed_tools === undefined)
      ? [`\`denied_tools\` is not written, so the server offers ${denied_tools.join(', ')}`]
      : []),
    ...(timeout !== undefined && limits.timeout === undefined
      ? ['`timeout` is not written, so the time limit of the harness applies']
      : []),
  ];
  return reasons.map((reason) => ({ capability: 'type:mcp-server', reason }));
}

export function readLimits(
  entry: JsonObject,
  { allowed, denied, timeout, exposure }: ServerLimits = {},
): JsonObject {
  const time = timeout === undefined ? undefined : entry[timeout.member];
  const seconds = typeof time === 'number' ? time / (timeout?.parts ?? 1) : undefined;
  const offered = toolsAt(entry, allowed);
  const hidden = toolsAt(entry, denied);
  return {
    ...(exposure === undefined ? {} : readExposure(entry, exposure)),
    ...(offered === undefined || offered.includes('*') ? {} : { allowed_tools: offered }),
    ...(hidden === undefined ? {} : { denied_tools: hidden }),
    ...(seconds !== undefined && Number.isInteger(seconds) && seconds > 0
      ? { timeout: seconds }
      : {}),
  };
}

function readExposure(entry: JsonObject, { server, tools, hidden }: ToolExposure): JsonObject {
  const exceptions = entry[tools];
  const all = isJsonObject(exceptions) ? Object.entries(exceptions) : [];
  const named = (isHidden: boolean): string[] =>
    all.flatMap(([tool, value]) => ((value === hidden) === isHidden ? [tool] : []));
  if (entry[server] === hidden) return { allowed_tools: named(false) };
  const denied = named(true);
  return denied.length === 0 ? {} : { denied_tools: denied };
}

function toolsAt(entry: JsonObject, path: readonly string[] | undefined): string[] | undefined {
  if (path === undefined) return undefined;
  const [first = '', ...rest] = path;
  const value = entry[first];
  if (rest.length > 0) return isJsonObject(value) ? toolsAt(value, rest) : undefined;
  return Array.isArray(value) && value.every((tool) => typeof tool === 'string')
    ? value
    : undefined;
}
