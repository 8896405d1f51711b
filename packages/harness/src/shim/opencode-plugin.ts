import { RUN_COMMAND } from './run-command.ts';

/**
 * What the generated plugins of OpenCode share: a plugin is a function that is given the project and
 * returns its hooks; one that throws before a tool runs keeps it from running, and what it throws is
 * what the model is told.
 */
export const OPENCODE_PLUGIN = `// Written by catalog: runs hooks of the catalogue as plugins of OpenCode.
${RUN_COMMAND}
/** The canonical name of a tool, where it has one. */
const TOOLS = {
  __proto__: null,
  bash: 'Bash',
  read: 'Read',
  edit: 'Edit',
  multiedit: 'Edit',
  patch: 'Edit',
  apply_patch: 'Edit',
  write: 'Write',
  glob: 'Glob',
  grep: 'Grep',
  list: 'LS',
  task: 'Task',
  webfetch: 'WebFetch',
  websearch: 'WebSearch',
  todowrite: 'TodoWrite',
  skill: 'Skill',
};

/** Hooks that may still stop what they are told of; all others are told of what has happened. */
const GATES = ['tool.execute.before', 'chat.message', 'experimental.session.compacting'];

export function hook(options) {
  const { harness } = options;
  const matches = new RegExp(options.tool ?? '');
  return async ({ client, directory }) => {
    const tell = async (fields) => {
      const payload = { event: options.event, harness, ...fields, cwd: directory };
      const { block, warning } = await runCommand(options, payload);
      if (block !== undefined && GATES.includes(options.on)) throw new Error(block);
      const message = warning ?? block;
      if (message === undefined) return;
      const body = { service: 'catalog', level: 'warn', message };
      await client?.app?.log?.({ body })?.catch?.(() => {});
    };
    const told = async (input, fields) => {
      if (!matches.test(input.tool ?? '')) return;
      await tell({ ...fields, session_id: input.sessionID });
    };
    switch (options.on) {
      case 'tool.execute.before':
        return {
          [options.on]: (input, output) =>
            told(input, { tool: toolOf(input.tool), input: output.args }),
        };
      case 'tool.execute.after':
        return {
          [options.on]: (input, output) =>
            told(input, { tool: toolOf(input.tool), input: input.args, output: output.output }),
        };
      case 'chat.message':
        return {
          [options.on]: (input, output) => told(input, { prompt: textOf(output.parts) }),
        };
      case 'experimental.session.compacting':
        return { [options.on]: (input, output) => told(input, {}) };
      default:
        return { event: ({ event }) => onEvent(options, event, tell) };
    }
  };
}

function onEvent(options, { type, properties = {} }, tell) {
  if (type !== options.on) return;
  if (options.event === 'permission_denied' && properties.reply !== 'reject') return;
  const { sessionID, info, permission, metadata, message } = properties;
  return tell({
    session_id: sessionID ?? info?.id,
    ...(permission === undefined ? {} : { tool: toolOf(permission), input: metadata }),
    ...(typeof message === 'string' ? { message } : {}),
  });
}

function toolOf(name) {
  return TOOLS[name] ?? name;
}

function textOf(parts = []) {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\\n');
}
`;
