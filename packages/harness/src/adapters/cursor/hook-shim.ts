import { APPLIES_ALWAYS, type ShimProduct } from '../../shim/shim-product.ts';

/**
 * Cursor has its own members for each event, and each event its own way of saying no: a permission,
 * whether to go on, or what the agent shall do instead of stopping.
 */
export const cursorHooks: ShimProduct = {
  id: 'cursor',
  title: 'Cursor',
  locate: 'walk',
  tools: {
    Shell: 'Bash',
    Read: 'Read',
    Write: ['Write', 'Edit'],
    Edit: 'Edit',
    StrReplace: 'Edit',
    TabWrite: 'Edit',
    ApplyPatch: ['Edit', 'Write'],
    Grep: 'Grep',
    Glob: 'Glob',
    LS: 'LS',
    WebFetch: 'WebFetch',
    WebSearch: 'WebSearch',
    TodoWrite: 'TodoWrite',
    Task: 'Task',
  },
  server_tools: 'unknown',
  script: `// Events that imply a tool.
const OF_EVENTS = {
  __proto__: null,
  beforeShellExecution: 'Bash',
  afterShellExecution: 'Bash',
  beforeReadFile: 'Read',
  afterFileEdit: 'Edit',
};
const TAKES_PERMISSION = [
  'preToolUse',
  'beforeShellExecution',
  'beforeMCPExecution',
  'beforeReadFile',
  'subagentStart',
];

function describe(native) {
  const { hook_event_name: name, command, file_path, edits } = native;
  return {
    tool: native.tool_name ? toolOf(native.tool_name) : OF_EVENTS[name],
    input: parsed(native.tool_input) ?? given({ command, file_path, edits }),
    output: parsed(native.tool_output ?? native.result_json ?? native.output),
    error: native.error_message,
    prompt: native.prompt,
    cwd: native.cwd || native.workspace_roots?.[0],
    session_id: native.session_id ?? native.conversation_id,
  };
}

// Some events carry JSON inside a text.
function parsed(value) {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function given(members) {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

${APPLIES_ALWAYS}
function answer({ block, warning, text }, { hook_event_name: name }) {
  if (block) return refusal(name, block);
  if (warning) return { stderr: warning, code: 1 };
  return text && name === 'sessionStart' ? { json: { additional_context: text } } : {};
}

function refusal(name, reason) {
  if (TAKES_PERMISSION.includes(name)) {
    return { json: { permission: 'deny', user_message: reason, agent_message: reason } };
  }
  if (name === 'beforeSubmitPrompt') return { json: { continue: false, user_message: reason } };
  if (name === 'stop' || name === 'subagentStop') return { json: { followup_message: reason } };
  if (name === 'postToolUse') return { json: { additional_context: reason } };
  return { stderr: reason, code: 1 };
}
`,
};
