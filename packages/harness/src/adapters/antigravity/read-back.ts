import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import type { AdoptReaders } from '../../adopt/adopt-source.ts';
import { readTriggeredRule } from './read-rule.ts';

/** What Antigravity has in forms of its own. */
export const antigravityReaders: AdoptReaders = {
  rule: readTriggeredRule,
  hook: { lists: hooksByEvent },
  server: ({ serverUrl, ...kept }) =>
    serverUrl === undefined ? kept : { url: serverUrl, ...kept },
};

/** `{name: {enabled, PreToolUse: [...], Stop: [...]}}` as lists by event. */
function hooksByEvent(named: JsonObject): JsonObject {
  const lists: Record<string, Json[]> = Object.create(null);
  for (const hook of Object.values(named)) {
    if (!isJsonObject(hook)) continue;
    const { enabled, ...events } = hook;
    for (const [event, list] of Object.entries(events)) {
      const elements = Array.isArray(list) ? list : [];
      (lists[event] ??= []).push(
        ...elements.map((element) => (enabled === false ? switchedOff(element) : element)),
      );
    }
  }
  return lists;
}

/** The switch is that of all hooks of a name. */
function switchedOff(element: Json): Json {
  if (!isJsonObject(element)) return element;
  const { hooks } = element;
  return Array.isArray(hooks)
    ? { ...element, hooks: hooks.map(switchedOff) }
    : { ...element, enabled: false };
}
