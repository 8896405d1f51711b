import { keepPart, replacePart, replaceText } from './fill-script.ts';
import type { HookMatching } from './hook-matcher.ts';
import { SHARED_PARTS, WHOLE_SCRIPTS } from './hook-scripts.ts';

/**
 * Returns JavaScript that defines `toolOf(name)`, which returns the canonical name of a tool, `matches(matcher, names)`
 * and `namesOf(name)`.
 */
export function matchingScript(matching: Omit<HookMatching, 'title'>): string {
  const { tools: own_tools, other_tools, server_tools } = matching;
  const tools = { ...own_tools, ...other_tools };
  const entries = Object.entries(tools).filter(([tool, name]) => tool !== name);
  const rows = entries.map(([tool, name]) => `  ${keyOf(tool)}: ${valueOf(name)},\n`);
  const script = replacePart(SHARED_PARTS['match-tools'], 'tools', () => rows.join(''));
  const unknown = server_tools === 'unknown';
  const own = Object.keys(tools).map(quoted).join(', ');
  return withServers(
    keepPart(replaceText(script, `['sample_shell']`, `[${own}]`), 'own-tools', unknown),
    unknown ? undefined : server_tools,
  );
}

function withServers(
  script: string,
  servers: { prefix: string; separator: string } | undefined,
): string {
  if (servers === undefined) {
    return keepPart(replaceText(script, ', ...serverNames(name)', ''), 'servers', false);
  }
  return replacePart(script, 'servers', (part) => {
    const prefixed = replaceText(part, `'mcp_'`, quoted(servers.prefix));
    const sliced = replaceText(prefixed, 'slice(4)', `slice(${servers.prefix.length})`);
    return replaceText(sliced, `'_'`, quoted(servers.separator));
  });
}

export function wholeScript(
  harness: keyof typeof WHOLE_SCRIPTS,
  matching: Omit<HookMatching, 'title'>,
): string {
  const script = WHOLE_SCRIPTS[harness];
  const running = replaceText(script, '// <run-command>\n', SHARED_PARTS['run-command']);
  return replaceText(running, '// <match-tools>\n', matchingScript(matching));
}

function valueOf(name: string | readonly string[]): string {
  return typeof name === 'string' ? quoted(name) : `[${name.map(quoted).join(', ')}]`;
}

function keyOf(tool: string): string {
  return /^\w+$/.test(tool) ? tool : quoted(tool);
}

function quoted(text: string): string {
  return `'${text}'`;
}
