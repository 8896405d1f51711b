import type { ShimProduct } from '../../shim/shim-product.ts';

/**
 * Kiro reads exit code 2 as a block before a tool or a prompt. Its pages disagree about any other code
 * there, so a failure must not be one. The editor and the command line have their own names for tools.
 */
export const kiroHooks: ShimProduct = {
  id: 'kiro',
  title: 'Kiro',
  locate: 'walk',
  // Names of the command line, then those of the editor.
  tools: {
    fs_read: 'Read',
    read: 'Read',
    fs_write: ['Write', 'Edit'],
    write: ['Write', 'Edit'],
    str_replace: 'Edit',
    execute_bash: 'Bash',
    execute_cmd: 'Bash',
    shell: 'Bash',
    glob: 'Glob',
    grep: 'Grep',
    web_fetch: 'WebFetch',
    web_search: 'WebSearch',
    use_subagent: 'Task',
    subagent: 'Task',
    readFile: 'Read',
    readMultipleFiles: 'Read',
    readCode: 'Read',
    fsWrite: 'Write',
    fsAppend: 'Edit',
    strReplace: 'Edit',
    editCode: 'Edit',
    deleteFile: 'Edit',
    executeBash: 'Bash',
    executePwsh: 'Bash',
    listDirectory: 'LS',
    fileSearch: 'Glob',
    grepSearch: 'Grep',
    invokeSubAgent: 'Task',
  },
  script: `const GATES = [
  'user_prompt_submit',
  'pre_tool_use',
  'pre_shell_execution',
  'pre_mcp_execution',
  'pre_read_file',
];
const TAKES_NO_CONTEXT = ['session_end', 'stop'];
const ONLY = {
  __proto__: null,
  pre_shell_execution: /^Bash$/,
  post_shell_execution: /^Bash$/,
  pre_mcp_execution: /^mcp_/,
  post_mcp_execution: /^mcp_/,
  pre_read_file: /^Read$/,
  post_file_edit: /^(Edit|Write)$/,
};

function describe(native) {
  const { tool_name: name, tool_input: input } = native;
  // Tools of servers are @server/tool.
  const [, server, own] = /^@([^/]+)\\/(.+)$/.exec(name) ?? [];
  const tool = server ? 'mcp__' + server + '__' + own : toolOf(name);
  return {
    tool,
    input: inputOf(tool, input),
    output: native.tool_response,
    prompt: native.prompt,
    cwd: native.cwd,
    session_id: native.session_id,
  };
}

// fs_read has a list of operations, and the command of fs_write is no command of a shell.
function inputOf(tool, input) {
  if (typeof input !== 'object' || input === null) return input;
  const { command, text, newStr, operations } = input;
  return {
    ...input,
    path: input.path ?? operations?.[0]?.path,
    content: input.content ?? text ?? newStr,
    command: tool === 'Bash' ? command : undefined,
  };
}

function applies(native) {
  if (native.tool_name === undefined || ONLY[event] === undefined) return true;
  return ONLY[event].test(describe(native).tool);
}

// What the script prints is context for the model, so it prints nothing else.
function answer({ block, warning, text }) {
  if (block) return { stderr: block, code: GATES.includes(event) ? 2 : 1 };
  if (warning) return { stderr: warning, code: GATES.includes(event) ? 0 : 1 };
  return text && !TAKES_NO_CONTEXT.includes(event) ? { stdout: text } : {};
}
`,
};
