import { matchingScript, type HookMatching } from '../../shim/hook-matcher.ts';
import { RUN_COMMAND } from '../../shim/run-command.ts';

/** The tools of OpenCode and Kilo. */
export const OPENCODE_TOOLS = {
  tools: {
    bash: 'Bash',
    read: 'Read',
    edit: 'Edit',
    multiedit: 'Edit',
    patch: ['Edit', 'Write'],
    apply_patch: ['Edit', 'Write'],
    write: 'Write',
    glob: 'Glob',
    grep: 'Grep',
    list: 'LS',
    task: 'Task',
    webfetch: 'WebFetch',
    websearch: 'WebSearch',
    todowrite: 'TodoWrite',
    skill: 'Skill',
  },
  server_tools: { prefix: '', separator: '_' },
} satisfies Omit<HookMatching, 'title'>;

/**
 * What the generated plugins of OpenCode share: a plugin is a function that is given the project and
 * returns its hooks; one that throws before a tool runs keeps it from running, and what it throws is
 * what the model is told.
 */
export const OPENCODE_PLUGIN = `// Written by catalog: runs hooks of the catalogue as plugins of OpenCode.
${RUN_COMMAND}
${matchingScript(OPENCODE_TOOLS)}
/** Hooks that may still stop what they are told of; all others are told of what has happened. */
const GATES = ['tool.execute.before', 'chat.message', 'experimental.session.compacting'];

/** Events of the session itself; the sessions of subagents have a parent. */
const NOT_OF_SUBAGENTS = ['session_start', 'user_prompt_submit', 'stop'];

export function hook(options) {
  const { harness } = options;
  const implied = new RegExp(options.tool ?? '');
  return async ({ client, directory }) => {
    // Gives what the command printed.
    const tell = async (fields, info) => {
      if (NOT_OF_SUBAGENTS.includes(options.event) && (await isSubagent(client, fields, info))) return;
      const payload = { event: options.event, harness, ...fields, cwd: directory };
      const { block, warning, text } = await runCommand(options, payload);
      if (block !== undefined && GATES.includes(options.on)) throw new Error(block);
      const message = warning ?? block;
      if (message === undefined) return text;
      const body = { service: 'catalog', level: 'warn', message };
      await client?.app?.log?.({ body })?.catch?.(() => {});
    };
    const told = async (input, fields) => {
      if (!implied.test(input.tool ?? '')) return;
      if (input.tool && !matches(options.matcher, namesOf(input.tool))) return;
      return tell({ ...fields, session_id: input.sessionID });
    };
    switch (options.on) {
      case 'tool.execute.before':
        return {
          [options.on]: async (input, output) => {
            await told(input, { tool: toolOf(input.tool), input: output.args });
          },
        };
      case 'tool.execute.after':
        return {
          [options.on]: async (input, output) => {
            const { args, tool } = input;
            const text = await told(input, {
              tool: toolOf(tool),
              input: args,
              output: output.output,
            });
            if (text) output.output = (output.output ?? '') + '\\n\\n' + text;
          },
        };
      case 'chat.message':
        return {
          [options.on]: async (input, output) =>
            addContext(output, input.sessionID, await told(input, { prompt: textOf(output.parts) })),
        };
      case 'session.created':
        return atStart(options, tell);
      case 'experimental.session.compacting':
        return {
          [options.on]: async (input) => {
            await told(input, {});
          },
        };
      default:
        return { event: ({ event }) => onEvent(options, event, tell) };
    }
  };
}

/** What a hook prints at the start of a session becomes part of its first prompt. */
function atStart(options, tell) {
  const started = new Map();
  return {
    event: async ({ event }) => {
      if (event.type !== options.on) return;
      const { sessionID, info } = event.properties ?? {};
      const running = onEvent(options, event, tell);
      started.set(sessionID ?? info?.id, running);
      await running;
    },
    'chat.message': async ({ sessionID }, output) => {
      const text = await started.get(sessionID);
      started.delete(sessionID);
      addContext(output, sessionID, text);
    },
  };
}

/** Adds a text that the model sees and the user does not; parts are in the order of their ids. */
function addContext({ message, parts }, sessionID, text) {
  if (!text) return;
  const last = parts.at(-1)?.id ?? 'prt_catalog';
  parts.push({
    id: last + '0',
    sessionID,
    messageID: message?.id,
    type: 'text',
    text,
    synthetic: true,
  });
}

async function isSubagent(client, { session_id: id }, info) {
  const asked = info ?? (await client?.session?.get?.({ path: { id } })?.catch?.(() => {}))?.data;
  return Boolean(asked?.parentID);
}

async function onEvent(options, { type, properties = {} }, tell) {
  if (type !== options.on) return;
  if (options.event === 'permission_denied' && properties.reply !== 'reject') return;
  const { sessionID, info, permission, metadata, message } = properties;
  if (permission !== undefined && !matches(options.matcher, namesOf(permission))) return;
  const fields = {
    session_id: sessionID ?? info?.id,
    ...(permission === undefined ? {} : { tool: toolOf(permission), input: metadata }),
    ...(typeof message === 'string' ? { message } : {}),
  };
  return tell(fields, info);
}

function textOf(parts = []) {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\\n');
}
`;
