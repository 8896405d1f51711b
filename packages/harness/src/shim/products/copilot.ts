import type { ShimProduct } from '../shim-product.ts';

/**
 * Copilot takes no matcher, so the script tells which tools a hook is for; it takes a decision as JSON
 * before a tool runs, and nothing else stops anything.
 */
export const copilotHooks: ShimProduct = {
  id: 'copilot',
  title: 'GitHub Copilot',
  locate: 'walk',
  script: `const TOOLS = {
  __proto__: null,
  bash: 'Bash',
  powershell: 'Bash',
  view: 'Read',
  create: 'Write',
  edit: 'Edit',
  str_replace: 'Edit',
  apply_patch: 'Edit',
  grep: 'Grep',
  glob: 'Glob',
  web_fetch: 'WebFetch',
  task: 'Task',
};
const GATES = ['pre_tool_use', 'pre_shell_execution', 'pre_read_file'];
const ONLY = {
  pre_shell_execution: ['Bash'],
  post_shell_execution: ['Bash'],
  pre_read_file: ['Read'],
  post_file_edit: ['Edit', 'Write'],
};

function describe(native) {
  const name = native.toolName ?? native.tool_name;
  return {
    tool: TOOLS[name] ?? name,
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

function answer({ block, warning }) {
  if (block && GATES.includes(event)) {
    return { json: { permissionDecision: 'deny', permissionDecisionReason: block } };
  }
  const message = block ?? warning;
  return message ? { stderr: message, code: 1 } : {};
}
`,
};
