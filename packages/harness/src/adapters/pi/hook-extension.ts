import { RUN_COMMAND } from '../../shim/run-command.ts';

/**
 * What the generated extensions of Pi share: an extension is a function that is given the program's
 * interface and registers handlers; what a handler returns can stop a tool, a prompt or a compaction.
 */
export const PI_EXTENSION = `// Written by catalog: runs hooks of the catalogue as extensions of Pi.
${RUN_COMMAND}
/** The canonical name of a tool, where it has one. */
const TOOLS = {
  __proto__: null,
  bash: 'Bash',
  powershell: 'PowerShell',
  read: 'Read',
  edit: 'Edit',
  write: 'Write',
  grep: 'Grep',
  find: 'Glob',
  ls: 'LS',
};

export function hook(options) {
  const matches = new RegExp(options.tool ?? '');
  return (pi) => {
    pi.on(options.on, async (event, context) => {
      if (!concerns(options, event, matches)) return undefined;
      const payload = {
        event: options.event,
        harness: options.harness,
        ...fieldsOf(event),
        cwd: context.cwd,
        session_id: context.sessionManager?.getSessionId?.(),
      };
      const { block, warning } = await runCommand(options, payload);
      const stopped = block === undefined ? undefined : STOPPED[options.on]?.(block);
      // A stopped tool tells the model why by itself.
      const message = warning ?? (stopped?.reason === undefined ? block : undefined);
      if (message !== undefined) say(context, message);
      return stopped;
    });
  };
}

/** What a handler returns to stop what it is told of; there is nothing for all other events. */
const STOPPED = {
  tool_call: (reason) => ({ block: true, reason }),
  input: () => ({ action: 'handled' }),
  session_before_compact: () => ({ cancel: true }),
};

function concerns(options, event, matches) {
  if (!matches.test(event.toolName ?? '')) return false;
  // Pi has one event for a tool that did its work and one that failed.
  return event.type !== 'tool_result' || event.isError === options.event.endsWith('_failure');
}

function fieldsOf(event) {
  const tool = TOOLS[event.toolName] ?? event.toolName;
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
