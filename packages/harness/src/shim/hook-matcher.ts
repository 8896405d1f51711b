import type { HookEvent } from '@catalog/core/artifact/types';
import type { NativeHook } from '../hook-event-table.ts';

/** Names of tools; hooks get the first canonical one. */
export type ToolNames = Readonly<Record<string, string | readonly string[]>>;

export interface HookMatching {
  title: string;
  tools: ToolNames;
  /** Tool names of another program that runs the same hooks and ignores matchers. */
  other_tools?: ToolNames;
  /** True if the product's tools have canonical names, so that any name can be one. */
  canonical?: true;
  /**
   * Names of tools of servers; `mcp__server__tool` if absent. `unknown`: a matcher for such tools matches every tool
   * that is not in `tools`.
   */
  server_tools?: { prefix: string; separator: string } | 'unknown';
  /** Members of the native object that a matcher is tested against, for events without a tool. */
  situations?: Readonly<Partial<Record<HookEvent, string>>>;
  filter?: (tools: readonly string[]) => string;
}

/** Members for products with the input of Claude Code. */
export const COMMON_MATCHED_MEMBERS: NonNullable<HookMatching['situations']> = {
  session_start: 'source',
  session_end: 'reason',
  pre_compact: 'trigger',
  post_compact: 'trigger',
  notification: 'notification_type',
};

/** Returns a matcher for products that compare names, or regular expressions with whole names. */
export function anyOf(tools: readonly string[]): string {
  return tools.join('|');
}

/** Returns a matcher for products that search for a regular expression. */
export function exactlyAnyOf(tools: readonly string[]): string {
  return `^(${tools.join('|')})$`;
}

const ALIASES: Readonly<Record<string, string>> = { Edit: 'MultiEdit', Task: 'Agent' };

const NAMES = /^[\w\s|,-]+$/;

const TOOL_EVENTS: ReadonlySet<HookEvent> = new Set([
  'pre_tool_use',
  'post_tool_use',
  'post_tool_use_failure',
  'permission_request',
  'permission_denied',
]);

/** Events for which `hook_matcher` has no effect. */
const IMPLIED: Readonly<Partial<Record<HookEvent, readonly string[]>>> = {
  pre_shell_execution: ['Bash'],
  post_shell_execution: ['Bash'],
  pre_mcp_execution: ['mcp__server__tool'],
  post_mcp_execution: ['mcp__server__tool'],
  pre_read_file: ['Read'],
  post_file_edit: ['Edit', 'Write'],
};

function namesIn(matcher: string): string[] | undefined {
  return NAMES.test(matcher) ? matcher.split(/[|,]/).map((name) => name.trim()) : undefined;
}

function matches(matcher: string, names: readonly string[]): boolean {
  const listed = namesIn(matcher);
  return listed === undefined
    ? names.some((name) => new RegExp(matcher).test(name))
    : names.some((name) => listed.includes(name));
}

function namesOf(tool: string, { tools }: HookMatching): string[] {
  const known = [tools[tool] ?? []].flat();
  return [tool, ...known, ...known.flatMap((name) => ALIASES[name] ?? [])];
}

export function isToolEvent(event: HookEvent): boolean {
  return TOOL_EVENTS.has(event);
}

/** Converts a matcher to canonical names. */
export function canonicalMatcher(
  native: string,
  matching: HookMatching,
  matchers: 'searched' | 'whole' | undefined,
): string {
  const { tools, canonical } = matching;
  const listed = native === '' ? [] : namesIn(native);
  if (listed === undefined) return matchers === 'whole' ? `^(?:${native})$` : native;
  const unknown = listed.some((name) => tools[name] === undefined);
  if (matchers === 'searched' && unknown && canonical !== true) return `(?:${native})`;
  const names = listed.map((name) => {
    const [known] = [tools[name] ?? []].flat();
    const others = Object.keys(tools).filter((tool) => [tools[tool]].flat().includes(known));
    return known !== undefined && others.every((tool) => listed.includes(tool)) ? known : name;
  });
  return [...new Set(names)].join('|');
}

/** Returns the authored matcher; undefined if it is absent or `*`. */
export function authoredMatcher(matcher: string | undefined): string | undefined {
  return matcher === undefined || matcher.trim() === '' || matcher.trim() === '*'
    ? undefined
    : matcher;
}

export function matcherProblem(matcher: string | undefined): string | undefined {
  if (matcher === undefined || namesIn(matcher) !== undefined || isExpression(matcher)) {
    return undefined;
  }
  return `its hook_matcher ${matcher} is not a list of names or a valid regular expression`;
}

function isExpression(text: string): boolean {
  try {
    return new RegExp(text).source !== '';
  } catch {
    return false;
  }
}

/** Returns true if the event implies its tools, so that no matcher is tested. */
export function impliesTools(event: HookEvent, { matcher }: NativeHook): boolean {
  return matcher !== undefined || IMPLIED[event] !== undefined;
}

/**
 * Returns a matcher that the product applies before the script, and that never selects too few tools; undefined if none
 * is known.
 */
export function nativeFilter(
  matching: HookMatching,
  event: HookEvent,
  matcher: string,
): string | undefined {
  const { canonical, filter, tools, server_tools } = matching;
  if (filter === undefined) return undefined;
  const listed = namesIn(matcher);
  if (!TOOL_EVENTS.has(event)) {
    // Only a product with canonical names is known to support lists.
    if (canonical !== true) return undefined;
    return listed === undefined ? matcher : filter(listed);
  }
  const known = Object.keys(tools);
  if (listed === undefined) {
    const safe = known.every(
      (tool) => matches(matcher, [tool]) || !matches(matcher, namesOf(tool, matching)),
    );
    return canonical === true && safe ? matcher : undefined;
  }
  const native = listed.map((name) => {
    const found = known.filter((tool) => namesOf(tool, matching).includes(name));
    const own = canonical === true || (name.startsWith('mcp__') && server_tools === undefined);
    return found.length > 0 || own ? [name, ...found] : [];
  });
  if (native.some((tools_of_name) => tools_of_name.length === 0)) return undefined;
  return filter([...new Set(native.flat())]);
}

/** Returns a warning if the hook runs more or less often than its author wrote. */
export function matcherWarning(
  matching: HookMatching,
  event: HookEvent,
  native: NativeHook,
  authored: string | undefined,
): string | undefined {
  const matcher = authoredMatcher(authored);
  if (matcher === undefined || matcherProblem(matcher) !== undefined) return undefined;
  const { title, situations, server_tools, canonical, tools } = matching;
  if (impliesTools(event, native)) {
    const implied = IMPLIED[event];
    if (implied?.every((tool) => matches(matcher, [tool])) === true) return undefined;
    return `hook_matcher has no effect on ${event}, which has its own tools, so the hook runs more often than written`;
  }
  if (!TOOL_EVENTS.has(event)) {
    return situations?.[event] === undefined
      ? `${title} has nothing to test hook_matcher against for ${event}, so the hook runs each time`
      : undefined;
  }
  if (native.names_no_tool === true) {
    return `${title} does not name the tool for ${event}, so hook_matcher has no effect and the hook runs each time`;
  }
  if (canonical === true) return undefined;
  const part = namesIn(matcher)?.find((name) => isPartOfName(name, matching));
  if (part !== undefined) {
    return `${part} in hook_matcher is only a part of the name of a tool of ${title}, so the hook never runs for that tool`;
  }
  if (/mcp/.test(matcher)) {
    const every = matches(matcher, ['mcp__a__b']) && matches(matcher, ['mcp__other__tool']);
    return server_tools === 'unknown' && !every
      ? `${title} does not report the server of a tool, so the hook also runs for tools of other MCP servers`
      : undefined;
  }
  const known = Object.keys(tools).some((tool) => matches(matcher, namesOf(tool, matching)));
  return known
    ? undefined
    : `hook_matcher ${matcher} selects no tool of ${title} that catalog knows, so the hook never runs there`;
}

function isPartOfName(name: string, matching: HookMatching): boolean {
  const tools = Object.keys(matching.tools);
  const isKnown = tools.some((tool) => namesOf(tool, matching).includes(name));
  return !isKnown && tools.some((tool) => tool.includes(name));
}
