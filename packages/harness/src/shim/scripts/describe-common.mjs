import { toolOf } from './match-tools.mjs';

export function describe(native) {
  return {
    tool: toolOf(native.tool_name),
    input: native.tool_input,
    output: native.tool_response,
    error: native.error,
    prompt: native.prompt,
    message: native.message,
    cwd: native.cwd,
    session_id: native.session_id,
  };
}
