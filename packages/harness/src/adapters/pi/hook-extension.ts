import { matchingScript, type HookMatching } from '../../shim/hook-matcher.ts';
import { RUN_COMMAND } from '../../shim/run-command.ts';

/** The tools of Pi, and the situations it names. */
export const PI_TOOLS: HookMatching = {
  title: 'Pi',
  tools: {
    bash: 'Bash',
    powershell: 'PowerShell',
    read: 'Read',
    edit: 'Edit',
    write: 'Write',
    grep: 'Grep',
    find: 'Glob',
    ls: 'LS',
  },
  server_tools: 'unknown',
};

/**
 * What the generated extensions of Pi share: an extension is a function that is given the program's
 * interface and registers handlers; what a handler returns can stop a tool, a prompt or a compaction.
 */
export const PI_EXTENSION = `// Written by catalog: runs hooks of the catalogue as extensions of Pi.
${RUN_COMMAND}
${matchingScript(PI_TOOLS)}
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
      // A stopped tool tells the model why by itself.
      const message = warning ?? (stopped?.reason === undefined ? block : undefined);
      if (message !== undefined) say(context, message);
      return stopped ?? (text ? giveContext(pi, event, text) : undefined);
    });
  };
}

/** What a handler returns to stop what it is told of; there is nothing for all other events. */
const STOPPED = {
  tool_call: (reason) => ({ block: true, reason }),
  input: () => ({ action: 'handled' }),
  session_before_compact: () => ({ cancel: true }),
};

/** What a command prints: after a tool a part of its result, otherwise a message with the prompt. */
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
  // Pi has one event for a tool that did its work and one that failed.
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
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\\n');
}

function say(context, message) {
  if (context.hasUI) context.ui.notify(message, 'warning');
  else console.error(message);
}
`;
