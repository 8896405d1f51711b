import { describe } from '../../adapters/claude-code/hook-shim.mjs';
import { event, matcher } from './arguments.mjs';
import { matches, namesOf } from './match-tools.mjs';

// <situations>
// Members that a matcher is tested against at events without a tool.
const SITUATIONS = {
  __proto__: null,
  sample_event: 'source',
};

// </situations>
// Returns the name of the tool, and its name with the MCP server.
function moreNames(native) {
  const { server_name: server, tool_name: tool } = native.mcp_context ?? {};
  return [describe(native).tool, ...(server ? ['mcp__' + server + '__' + tool] : [])];
}

// Runs the hook if there is no tool or other value to test the matcher against.
export function isSelected(native) {
  const name = native.tool_name;
  if (name) return matches(matcher, [...namesOf(name), ...moreNames(native)]);
  const situation = native[SITUATIONS[event]];
  return typeof situation !== 'string' || matches(matcher, [situation]);
}
