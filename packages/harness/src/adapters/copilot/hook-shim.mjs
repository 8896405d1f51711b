import { toolOf } from '../../shim/scripts/match-tools.mjs';
import { event } from '../../shim/scripts/arguments.mjs';

const GATES = ['pre_tool_use', 'pre_shell_execution', 'pre_read_file', 'permission_request'];
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

export function describe(native) {
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

// Tool arguments are a JSON string.
function parsed(value) {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export function applies(native) {
  return ONLY[event] === undefined || ONLY[event].includes(describe(native).tool);
}

export function answer({ block, warning, text }) {
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
