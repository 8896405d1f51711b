/** The canonical tools by the names Gemini CLI has for them. */
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

/** Names of its own. */
const NATIVE = new Set([...TOOLS.values(), 'read_many_files', '*']);

/** `Bash(git log:*)`: a tool, and the commands it is for. */
const NARROWED = /^(\w+)\(.*\)$/;

/** `mcp__server__tool`, or `mcp__server` for all its tools. */
const SERVER_TOOL = /^mcp__([\w.:-]+?)(?:__([\w.:-]+|\*))?$/;

/**
 * The tools of an agent. One that Gemini CLI does not have is left out, for it refuses an agent that
 * names any; and an agent can call no other, so that `Task` is none. It asks the person before each
 * shell command, so that one narrowed to some commands stays the whole tool.
 */
export function toolNames(tools: readonly string[]): string[] {
  const names = tools.flatMap((tool) => toolName(NARROWED.exec(tool)?.[1] ?? tool) ?? []);
  return [...new Set(names)];
}

/** Of some tools, those that are left out, and those that become more than they were. */
export function otherwiseTaken(tools: readonly string[]): { missing: string[]; widened: string[] } {
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
