import { anyOf, type ToolNames } from '../../shim/hook-matcher.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';

/** The tools of VS Code, which also runs hooks of Claude Code. */
export const VS_CODE_TOOLS: ToolNames = {
  run_in_terminal: 'Bash',
  read_file: 'Read',
  create_file: 'Write',
  insert_edit_into_file: 'Edit',
  replace_string_in_file: 'Edit',
  multi_replace_string_in_file: 'Edit',
  apply_patch: ['Edit', 'Write'],
};

/**
 * Copilot reads decisions as JSON, in another form for each event. VS Code runs the same files and
 * ignores matchers, so the script decides by the tool as well. Before a tool runs, every exit code but
 * 0 denies it, so a warning must not be one.
 */
export const copilotHooks: ShimProduct = {
  id: 'copilot',
  title: 'GitHub Copilot',
  locate: 'walk',
  tools: {
    bash: 'Bash',
    powershell: 'Bash',
    view: 'Read',
    create: 'Write',
    edit: 'Edit',
    str_replace: 'Edit',
    apply_patch: ['Edit', 'Write'],
    grep: 'Grep',
    glob: 'Glob',
    web_fetch: 'WebFetch',
    task: 'Task',
  },
  other_tools: VS_CODE_TOOLS,
  server_tools: 'unknown',
  filter: anyOf,
  tool_name: 'native.toolName ?? native.tool_name',
  script: `const GATES = ['pre_tool_use', 'pre_shell_execution', 'pre_read_file', 'permission_request'];
const TAKES_BLOCK = ['user_prompt_submit', 'stop', 'subagent_stop'];
const TAKES_CONTEXT = [
  'session_start',
  'user_prompt_submit',
  'pre_tool_use',
  'pre_shell_execution',
  'pre_read_file',
  'post_tool_use',
  'post_tool_use_failure',
  'post_shell_execution',
  'post_file_edit',
  'subagent_start',
];
const ONLY = {
  pre_shell_execution: ['Bash'],
  post_shell_execution: ['Bash'],
  pre_read_file: ['Read'],
  post_file_edit: ['Edit', 'Write'],
};

function describe(native) {
  const name = native.toolName ?? native.tool_name;
  return {
    tool: toolOf(name),
    input: parsed(native.toolArgs ?? native.tool_input),
    output: native.toolResult ?? native.tool_result,
    error: native.error,
    prompt: native.prompt,
    cwd: native.cwd,
    session_id: native.sessionId ?? native.session_id,
  };
}

// The arguments of a tool come as JSON inside a text.
function parsed(value) {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function applies(native) {
  return ONLY[event] === undefined || ONLY[event].includes(describe(native).tool);
}

function answer({ block, warning, text }) {
  if (block) return refusal(block);
  if (warning) return { stderr: warning, code: GATES.includes(event) ? 0 : 1 };
  return text && TAKES_CONTEXT.includes(event) ? { json: { additionalContext: text } } : {};
}

function refusal(reason) {
  if (event === 'permission_request') return { json: { behavior: 'deny', message: reason } };
  if (GATES.includes(event)) {
    return { json: { permissionDecision: 'deny', permissionDecisionReason: reason } };
  }
  return TAKES_BLOCK.includes(event)
    ? { json: { decision: 'block', reason } }
    : { stderr: reason, code: 1 };
}
`,
};
