import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import type { AdoptReaders, ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { canonicalServers, canonicalTools, namesIn, given } from '../../adopt/agent-keys-back.ts';
import { TOOLS } from './agent-text.ts';
import { serverEntry } from './server-entry.ts';

export const kiroReaders: AdoptReaders = {
  agent: readAgent,
  rule: readSteering,
  hook: { lists: hooksByTrigger },
  prose: ['AGENTS.md'],
};

function readAgent({ values, body }: ProductDocument): Reading {
  const { name: _name, tools, mcpServers, ...kept } = values;
  const changes: string[] = [];
  const canonical = {
    ...canonicalTools(toolNames(tools), TOOLS, changes),
    ...canonicalServers(mcpServers, serverEntry, changes),
  };
  return { values: { ...kept, ...canonical }, body, changes };
}

/** Converts tool names; those of servers become `mcp__server__tool`. Undefined means all tools. */
function toolNames(tools: Json | undefined): string[] | undefined {
  const names = namesIn(tools);
  if (names?.includes('*')) return undefined;
  return names?.map((tool) => {
    const [, server, name] = /^@([\w.-]+)(?:\/([\w.-]+))?$/.exec(tool) ?? [];
    if (server === undefined || server === 'builtin') return tool;
    if (server === 'mcp') return 'mcp__*';
    return name === undefined ? `mcp__${server}` : `mcp__${server}__${name}`;
  });
}

/** Converts `hooks: [{trigger, matcher, action: {type, command}, timeout, enabled}]` to lists by trigger. */
function hooksByTrigger({ hooks }: JsonObject): JsonObject | undefined {
  if (!Array.isArray(hooks)) return undefined;
  const lists: Record<string, Json[]> = Object.create(null);
  for (const hook of hooks) {
    if (!isJsonObject(hook)) continue;
    const { trigger, action, matcher, timeout, enabled } = hook;
    if (typeof trigger !== 'string' || !isJsonObject(action)) continue;
    const { type, command } = action;
    (lists[trigger] ??= []).push({
      ...present({ type, command, matcher, timeout, enabled }),
    });
  }
  return lists;
}

function present(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const entries = Object.entries(members).filter(
    (pair): pair is [string, Json] => pair[1] !== undefined,
  );
  return Object.fromEntries(entries);
}

const ALWAYS: JsonObject = { rule_mode: 'always' };

/** Converts a rule. Without `inclusion`, it always applies. */
function readSteering({ values, body }: ProductDocument): Reading {
  const { inclusion, fileMatchPattern, name: _name, description, ...kept } = values;
  const globs = namesIn(fileMatchPattern) ?? [];
  const modes: Readonly<Record<string, JsonObject>> = {
    fileMatch: { rule_mode: 'glob', rule_globs: globs.join(',') },
    auto: { rule_mode: 'auto', rule_description: description ?? '' },
    manual: { rule_mode: 'explicit' },
  };
  const mode = typeof inclusion === 'string' ? modes[inclusion] : undefined;
  return {
    values: { ...given('description', description), ...kept, ...(mode ?? ALWAYS) },
    body,
    changes: [],
  };
}
