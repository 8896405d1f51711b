import type { JsonObject } from '@catalog/core/json';
import type { ReadyHook } from '../../landing.ts';
import { timedFlatHook, timedGroupedHook } from '../../place/hook-forms.ts';

/** Names of tools an author knows from Claude Code, and what Antigravity calls them. */
const MATCHED: ReadonlyMap<string, string> = new Map([
  ['Bash', 'run_command'],
  ['Read', 'view_file'],
  ['Write', 'write_to_file'],
  ['Edit', 'replace_file_content|multi_replace_file_content'],
  ['Grep', 'grep_search'],
  ['Glob', 'find_by_name'],
  ['LS', 'list_dir'],
  ['WebFetch', 'read_url_content'],
  ['WebSearch', 'search_web'],
]);

/** The events whose hooks are in groups with a matcher; the others have them directly. */
const GROUPED: ReadonlySet<string> = new Set(['PreToolUse', 'PostToolUse']);

const grouped = timedGroupedHook(1);

/** The element of the list of an event. */
export function hookEntry(hook: ReadyHook): JsonObject {
  const { matcher, ...native } = hook.native;
  if (!GROUPED.has(native.event)) return { type: 'command', ...timedFlatHook({ ...hook, native }) };
  return grouped({ ...hook, native: { ...native, matcher: ownMatcher(matcher ?? '*') } });
}

function ownMatcher(matcher: string): string {
  return matcher
    .split('|')
    .map((name) => MATCHED.get(name) ?? name)
    .join('|');
}
