import { toolOf } from '../../shim/scripts/match-tools.mjs';
import { event } from '../../shim/scripts/arguments.mjs';

export function describe(native) {
  const { extra = {} } = native;
  return {
    tool: toolOf(native.tool_name) ?? undefined,
    input: native.tool_input ?? undefined,
    output: extra.result,
    error: extra.error_message ?? undefined,
    prompt: extra.user_message,
    cwd: native.cwd,
    session_id: native.session_id,
  };
}

/** @param {{ extra?: { status?: string, choice?: string } }} native */
export function applies({ extra = {} }) {
  if (event === 'post_tool_use_failure') return extra.status === 'error';
  return event !== 'permission_denied' || extra.choice === 'deny';
}

export function answer({ block, warning, text }, { hook_event_name: name }) {
  if (block && name === 'pre_tool_call') return { json: { action: 'block', message: block } };
  if (block && name === 'pre_verify') return { json: { action: 'continue', message: block } };
  if (block || warning) return { stderr: block ?? warning, code: 1 };
  return text && name === 'pre_llm_call' ? { json: { context: text } } : {};
}
