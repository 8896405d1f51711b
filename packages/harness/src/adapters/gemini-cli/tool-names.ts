export const TOOLS: ReadonlyMap<string, string> = new Map([
  ['Bash', 'run_shell_command'],
  ['Read', 'read_file'],
  ['Write', 'write_file'],
  ['Edit', 'replace'],
  ['MultiEdit', 'replace'],
  ['Glob', 'glob'],
  ['Grep', 'grep_search'],
  ['LS', 'list_directory'],
  ['WebFetch', 'web_fetch'],
  ['WebSearch', 'google_web_search'],
  ['TodoWrite', 'write_todos'],
  ['Skill', 'activate_skill'],
]);

const NATIVE = new Set([...TOOLS.values(), 'read_many_files', '*']);

const NARROWED = /^(\w+)\(.*\)$/;

const SERVER_TOOL = /^mcp__([\w.:-]+?)(?:__([\w.:-]+|\*))?$/;

/**
 * Returns tool names. Unknown tools are left out, because Gemini CLI rejects an agent with one, and so is `Task`. A
 * tool limited to some commands becomes the whole tool, because Gemini CLI asks before each shell command.
 */
export function toolNames(tools: readonly string[]): string[] {
  const names = tools.flatMap((tool) => toolName(NARROWED.exec(tool)?.[1] ?? tool) ?? []);
  return [...new Set(names)];
}

export function describeToolChanges(tools: readonly string[]): {
  missing: string[];
  widened: string[];
} {
  return {
    missing: tools.filter((tool) => toolNames([tool]).length === 0),
    widened: tools.filter((tool) => NARROWED.test(tool) && toolNames([tool]).length > 0),
  };
}

function toolName(tool: string): string | undefined {
  if (NATIVE.has(tool) || tool.startsWith('mcp_')) return serverTool(tool);
  return TOOLS.get(tool);
}

function serverTool(tool: string): string {
  if (tool === 'mcp__*') return 'mcp_*';
  const [, server, name = '*'] = SERVER_TOOL.exec(tool) ?? [];
  return server === undefined ? tool : `mcp_${server}_${name}`;
}
