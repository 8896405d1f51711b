// Canonical names of tools with other names in this product.
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

// Returns all names by which a matcher can select a tool.
export function namesOf(name) {
  const names = [name, TOOLS[name] ?? []].flat();
  if (names.includes('Edit')) names.push('MultiEdit');
  if (names.includes('Task')) names.push('Agent');
  return [...names, ...serverNames(name)];
}

// <servers>
// The name of an MCP tool starts with the name of its server, whose end is unknown.
function serverNames(name) {
  if (TOOLS[name] || !name.startsWith('mcp_')) return [];
  const parts = name.slice(4).split('_');
  const join = (some) => some.join('_');
  return parts.slice(1).map((_, at) => {
    return 'mcp__' + join(parts.slice(0, at + 1)) + '__' + join(parts.slice(at + 1));
  });
}

// </servers>
// Compares names separated by | or commas with the whole name. Any other matcher is a regular
// expression.
export function matches(matcher, names) {
  if (!matcher || matcher.trim() === '*') return true;
  // <own-tools>
  // The name of a tool does not show its server.
  if (/mcp/.test(matcher) && !OWN_TOOLS.includes(names[0])) return true;
  // </own-tools>
  const list = /^[\w\s|,-]+$/.test(matcher) && matcher.split(/[|,]/).map((name) => name.trim());
  const isMatch = (name) => (list ? list.includes(name) : new RegExp(matcher).test(name));
  return names.some(isMatch);
}
