import { toolOf } from '../../shim/scripts/match-tools.mjs';
import { event } from '../../shim/scripts/arguments.mjs';

const GATES = [
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

export function describe(native) {
  const { tool_name: name, tool_input: input } = native;
  // Tools of servers have the form @server/tool.
  const [, server, own] = /^@([^/]+)\/(.+)$/.exec(name) ?? [];
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

// The input of fs_read is a list of operations. The command of fs_write is not a shell command.
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

export function applies(native) {
  if (native.tool_name === undefined || ONLY[event] === undefined) return true;
  return ONLY[event].test(describe(native).tool);
}

// Kiro gives the output of the script to the model, so the script prints nothing else.
export function answer({ block, warning, text }) {
  if (block) return { stderr: block, code: GATES.includes(event) ? 2 : 1 };
  if (warning) return { stderr: warning, code: GATES.includes(event) ? 0 : 1 };
  return text && !TAKES_NO_CONTEXT.includes(event) ? { stdout: text } : {};
}
