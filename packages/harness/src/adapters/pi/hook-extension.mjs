// Written by catalog: runs hooks of the catalog as extensions of Pi.
import { runCommand } from '../../shim/scripts/run-command.mjs';

import { matches, namesOf, toolOf } from '../../shim/scripts/match-tools.mjs';

export function hook(options) {
  const implied = new RegExp(options.tool ?? '');
  return (pi) => {
    pi.on(options.on, async (event, context) => {
      if (!concerns(options, event, implied)) return undefined;
      const payload = {
        event: options.event,
        harness: options.harness,
        ...fieldsOf(event),
        cwd: context.cwd,
        session_id: context.sessionManager?.getSessionId?.(),
      };
      const { block, warning, text } = await runCommand(options, payload);
      const stopped = block === undefined ? undefined : STOPPED[options.on]?.(block);
      // A stopped tool already reports the reason to the model.
      const message = warning ?? (stopped?.reason === undefined ? block : undefined);
      if (message !== undefined) say(context, message);
      return stopped ?? (text ? giveContext(pi, event, text) : undefined);
    });
  };
}

/** Results of a handler that stop the event; other events cannot be stopped. */
const STOPPED = {
  tool_call: (reason) => ({ block: true, reason }),
  input: () => ({ action: 'handled' }),
  session_before_compact: () => ({ cancel: true }),
};

/** Adds the output of a command: after a tool to its result, otherwise as a message with the prompt. */
function giveContext(pi, event, text) {
  if (event.type === 'tool_result') {
    return { content: [...(event.content ?? []), { type: 'text', text }] };
  }
  if (event.type === 'session_start' || event.type === 'input') {
    const message = { customType: 'catalog', content: text, display: false };
    pi.sendMessage(message, { deliverAs: event.streamingBehavior ?? 'nextTurn' });
  }
  return undefined;
}

function concerns(options, event, implied) {
  if (!implied.test(event.toolName ?? '')) return false;
  if (event.toolName && !matches(options.matcher, namesOf(event.toolName))) return false;
  // Pi has one event for successful and failed tool calls.
  return event.type !== 'tool_result' || event.isError === options.event.endsWith('_failure');
}

function fieldsOf(event) {
  const tool = toolOf(event.toolName);
  switch (event.type) {
    case 'tool_call':
      return { tool, input: event.input };
    case 'tool_result':
      return { tool, input: event.input, output: textOf(event.content) };
    case 'input':
      return { prompt: event.text };
    default:
      return event.reason === undefined ? {} : { reason: event.reason };
  }
}

function textOf(content = []) {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function say(context, message) {
  if (context.hasUI) context.ui.notify(message, 'warning');
  else console.error(message);
}
