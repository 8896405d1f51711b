// Written by catalog: runs hooks of the catalog as plugins of OpenCode.
import { runCommand } from '../../shim/scripts/run-command.mjs';

import { matches, namesOf, toolOf } from '../../shim/scripts/match-tools.mjs';

/** Hooks that run before the action and can stop it; all others run after it. */
const GATES = ['tool.execute.before', 'chat.message', 'experimental.session.compacting'];

/** Events of the session itself; the sessions of subagents have a parent. */
const NOT_OF_SUBAGENTS = ['session_start', 'user_prompt_submit', 'stop'];

export function hook(options) {
  const { harness } = options;
  const implied = new RegExp(options.tool ?? '');
  return async ({ client, directory }) => {
    // Returns the output of the command.
    const tell = async (fields, info) => {
      // prettier-ignore
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
            if (text) output.output = (output.output ?? '') + '\n\n' + text;
          },
        };
      case 'chat.message':
        return {
          // prettier-ignore
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

/** Adds the output of a session start hook to the first prompt. */
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

/** Adds a part for the model that the user does not see. Parts are sorted by id. */
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

/**
 * @typedef {{ id: string, parentID?: string }} Session
 * @typedef {{ sessionID?: string, info?: Session, permission?: string, metadata?: object,
 *   message?: unknown, reply?: string }} EventProperties
 */
/**
 * @param {{ on: string, event: string, matcher?: string }} options
 * @param {{ type: string, properties?: EventProperties }} event
 * @param {(fields: object, info?: object) => Promise<string | undefined>} tell
 */
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
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
