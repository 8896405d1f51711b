import type { JsonObject } from '@catalog/core/json';
import type { ReadyHook } from '../../landing.ts';
import { timedFlatHook, timedGroupedHook } from '../../place/hook-forms.ts';

/** The events whose hooks are in groups with a matcher; the others have them directly. */
const GROUPED: ReadonlySet<string> = new Set(['PreToolUse', 'PostToolUse']);

const grouped = timedGroupedHook(1);

/** The element of the list of an event. */
export function hookEntry(hook: ReadyHook): JsonObject {
  const { matcher, ...native } = hook.native;
  if (!GROUPED.has(native.event)) return { type: 'command', ...timedFlatHook({ ...hook, native }) };
  return grouped({ ...hook, native: { ...native, matcher: matcher ?? '*' } });
}
