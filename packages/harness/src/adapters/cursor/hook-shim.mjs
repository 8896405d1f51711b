import { toolOf } from '../../shim/scripts/match-tools.mjs';

// Events that imply a tool.
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

export function describe(native) {
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

// Some events send JSON strings.
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

export { applies } from '../../shim/scripts/applies-always.mjs';

export function answer({ block, warning, text }, { hook_event_name: name }) {
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
