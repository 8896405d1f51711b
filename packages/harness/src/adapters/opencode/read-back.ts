import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import type { AdoptReaders, Left, ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { PERMISSIONS, SERVER_TOOLS } from './agent-text.ts';

/** What OpenCode has in forms of its own. */
export const opencodeReaders: AdoptReaders = { agent: readAgent };

function readAgent({ values, body }: ProductDocument): Reading | Left {
  const { name: _name, mode, permission, ...kept } = values;
  if (mode === 'primary') {
    return { left: 'it is an agent a person works with; only those another calls are artifacts' };
  }
  const canonical = isJsonObject(permission) ? canonicalPermission(permission) : undefined;
  const changes = canonical === undefined ? [] : ['permission is tools and requiresApproval'];
  return {
    values: { ...kept, ...(canonical ?? (permission === undefined ? {} : { permission })) },
    body,
    changes,
  };
}

/**
 * Permissions as the tools an agent may use and those it asks for. Undefined where they say more than
 * that: what is allowed outright, or for some commands, has no canonical form.
 */
function canonicalPermission(permission: JsonObject): JsonObject | undefined {
  const names = new Map([...PERMISSIONS].toReversed().map(([tool, name]) => [name, tool]));
  const { [SERVER_TOOLS]: servers, ...others } = permission;
  if (servers !== undefined && servers !== 'deny') return undefined;
  const granted = servers === undefined ? [] : Object.keys(others).filter(isServerTool);
  for (const name of granted) {
    if (others[name] !== 'ask') return undefined;
    delete others[name];
  }
  const entries = Object.entries(others);
  if (!entries.every(([name, value]) => names.has(name) && isPlain(value))) return undefined;
  const denied = new Set(entries.filter(([, value]) => value === 'deny').map(([name]) => name));
  const asked = entries.filter(([, value]) => value === 'ask').map(([name]) => name);
  const tools = [
    ...[...names].filter(([name]) => !denied.has(name)).map(([, tool]) => tool),
    ...(servers === undefined ? ['mcp__*'] : granted.map(serverTool)),
  ];
  const isNarrowed = denied.size > 0 || servers !== undefined;
  return {
    ...(isNarrowed ? { tools } : {}),
    ...(asked.length === 0
      ? {}
      : { requiresApproval: asked.map((name): Json => ({ tool: names.get(name) ?? name })) }),
  };
}

function isServerTool(permission: string): boolean {
  return permission.includes('_');
}

/** `wh_query` as `mcp__wh__query`; where the name of the server ends cannot be told. */
function serverTool(permission: string): string {
  return `mcp__${permission.replace('_', '__')}`;
}

function isPlain(value: Json): boolean {
  return value === 'deny' || value === 'ask';
}
