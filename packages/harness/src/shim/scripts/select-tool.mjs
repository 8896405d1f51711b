import { describe } from '../../adapters/claude-code/hook-shim.mjs';
import { event, matcher } from './arguments.mjs';
import { matches, namesOf } from './match-tools.mjs';

// <situations>
// What the matcher of a hook is tested against at events without a tool.
const SITUATIONS = {
  __proto__: null,
  sample_event: 'source',
};

// </situations>
// Names of the tool that its own name does not show.
function moreNames(native) {
  const { server_name: server, tool_name: tool } = native.mcp_context ?? {};
  return [describe(native).tool, ...(server ? ['mcp__' + server + '__' + tool] : [])];
}

// Without a tool or a situation to test the matcher against, the hook runs.
export function isSelected(native) {
  const name = native.tool_name;
  if (name) return matches(matcher, [...namesOf(name), ...moreNames(native)]);
  const situation = native[SITUATIONS[event]];
  return typeof situation !== 'string' || matches(matcher, [situation]);
}
