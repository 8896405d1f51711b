import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import type {
  AdoptReaders,
  SkippedContent,
  ProductDocument,
  Reading,
} from '../../adopt/adopt-source.ts';
import { toolsOf } from '../../place/tool-policy.ts';
import { ALL_TOOLS, isReadByDefault, PERMISSIONS, SERVER_TOOLS } from './permissions.ts';

export const opencodeReaders: AdoptReaders = { agent: readAgent };

function readAgent({ values, body }: ProductDocument): Reading | SkippedContent {
  const { name: _name, mode, permission, ...kept } = values;
  if (mode === 'primary') {
    return { left: 'it is an agent a person works with; only those another calls are artifacts' };
  }
  const canonical = isJsonObject(permission) ? canonicalPermission(permission) : undefined;
  const changes =
    canonical === undefined ? [] : ['permission is tools, disallowedTools and requiresApproval'];
  return {
    values: { ...kept, ...(canonical ?? (permission === undefined ? {} : { permission })) },
    body,
    changes,
  };
}

/** Converts permissions; undefined if uses of one tool differ, which has no canonical form. */
function canonicalPermission(permission: JsonObject): JsonObject | undefined {
  const { [ALL_TOOLS]: rest, ...others } = permission;
  const entries = Object.entries(others).map(([name, value]): [string, Json] => [
    name,
    isReadByDefault(name, value) ? 'allow' : value,
  ]);
  const approvalTools = entries.flatMap(([name, value]) => (value === 'ask' ? [name] : []));
  const approvals: JsonObject =
    approvalTools.length === 0
      ? {}
      : { requiresApproval: approvalTools.map((name) => ({ tool: firstTool(name) })) };
  if (rest === 'deny') {
    if (!entries.every(([, value]) => value === 'allow' || value === 'ask')) return undefined;
    return { tools: entries.map(([name]) => firstTool(name)), ...approvals };
  }
  if (rest !== undefined || !entries.every(([name, value]) => isKnown(name) && isLimit(value))) {
    return undefined;
  }
  const denied = entries.flatMap(([name, value]) => (value === 'deny' ? toolsOf(name) : []));
  return { ...(denied.length === 0 ? {} : { disallowedTools: denied }), ...approvals };
}

const KNOWN = new Set(PERMISSIONS.values());

function isKnown(name: string): boolean {
  return KNOWN.has(name);
}

function firstTool(permission: string): string {
  return permission === SERVER_TOOLS || isKnown(permission)
    ? (toolsOf(permission)[0] ?? permission)
    : permission;
}

function isLimit(value: Json): boolean {
  return value === 'deny' || value === 'ask';
}
