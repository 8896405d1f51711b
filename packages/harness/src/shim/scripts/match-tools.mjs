// The canonical names of the tools that are called something else here.
const TOOLS = {
  __proto__: null,
  // <tools>
  sample_shell: 'Bash',
  // </tools>
};
// <own-tools>
const OWN_TOOLS = ['sample_shell'];
// </own-tools>

export function toolOf(name) {
  return [TOOLS[name] ?? name].flat()[0];
}

// All names by which a matcher can select a tool.
export function namesOf(name) {
  const names = [name, TOOLS[name] ?? []].flat();
  if (names.includes('Edit')) names.push('MultiEdit');
  if (names.includes('Task')) names.push('Agent');
  return [...names, ...serverNames(name)];
}

// <servers>
// A tool of an MCP server has the name of its server before its own: where that ends is not known.
function serverNames(name) {
  if (TOOLS[name] || !name.startsWith('mcp_')) return [];
  const parts = name.slice(4).split('_');
  const join = (some) => some.join('_');
  return parts.slice(1).map((_, at) => {
    return 'mcp__' + join(parts.slice(0, at + 1)) + '__' + join(parts.slice(at + 1));
  });
}

// </servers>
// Names separated by | or commas are compared with the whole name; anything else is a regular
// expression.
export function matches(matcher, names) {
  if (!matcher || matcher.trim() === '*') return true;
  // <own-tools>
  // The name of a tool does not show which server it is from.
  if (/mcp/.test(matcher) && !OWN_TOOLS.includes(names[0])) return true;
  // </own-tools>
  const list = /^[\w\s|,-]+$/.test(matcher) && matcher.split(/[|,]/).map((name) => name.trim());
  const isMatch = (name) => (list ? list.includes(name) : new RegExp(matcher).test(name));
  return names.some(isMatch);
}
