// Written by catalog: runs hooks of the catalog as plugins of OpenCode.
import { spawn } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

// Functions that stop the running commands when this process exits.
const running = new Set();
process.on('exit', () => running.forEach((stop) => stop()));

// Adds path, content and command to the input of a tool. Keeps all members from the product.
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m;

function normalized(input) {
  if (typeof input === 'string' && PATCHED.test(input)) return normalized({ patch: input });
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const first = (...values) => values.find((value) => value !== undefined && value !== null);
  const { command: ran, edits } = input;
  const patches = [input.patch, input.patchText, input.input, ran];
  const patch = patches.find((text) => typeof text === 'string' && PATCHED.test(text));
  const changed = (edit) =>
    first(edit?.new_string, edit?.newString, edit?.new_str, edit?.newText, edit?.new_source);
  const texts = Array.isArray(edits) ? edits.map(changed).filter((text) => text !== undefined) : [];
  const all = texts.length === 0 ? undefined : texts.join('\n');
  const { path, file_path, filePath, absolute_path, notebook_path } = input;
  const command = patch !== undefined && patch === ran ? undefined : first(ran, input.cmd);
  return {
    ...input,
    path: first(path, file_path, filePath, absolute_path, notebook_path, PATCHED.exec(patch)?.[1]),
    content: first(input.content, input.file_text, changed(input), all, patch),
    command: Array.isArray(command) ? command.join(' ') : command,
  };
}

// Returns { block } or { warning } with the reason, or { text } with the output of the command.
function runCommand({ id, command, timeout }, payload) {
  return new Promise((done) => {
    const input = JSON.stringify({ ...payload, input: normalized(payload.input) }) + '\n';
    const own = process.platform !== 'win32';
    const child = spawn(command, { cwd: root, shell: true, detached: own, windowsHide: true });
    const said = { stdout: '', stderr: '' };
    let late = false;
    // Kills the command and its child processes.
    const stop = () => {
      try {
        if (own) process.kill(-child.pid, 'SIGKILL');
        else child.kill();
      } catch {}
    };
    const timer = timeout && setTimeout(() => ((late = true), stop()), timeout * 1000);
    running.add(stop);
    const end = (outcome) => {
      clearTimeout(timer);
      running.delete(stop);
      done(outcome);
    };
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8');
      child[name].on('data', (text) => (said[name] = (said[name] + text).slice(0, 65536)));
    }
    child.on('error', (error) => end({ warning: id + ' could not be run: ' + error.message }));
    child.on('exit', (code, signal) => {
      const finish = () => {
        const reason = said.stderr.trim();
        const failed = id + ' failed (' + (signal ?? 'exit ' + code) + ')';
        if (late) end({ warning: id + ' was ended after ' + timeout + ' s' });
        else if (code === 0) end({ text: said.stdout.trim() });
        else if (code === 2) end({ block: reason || 'blocked by ' + id });
        else end({ warning: reason === '' ? failed : failed + ': ' + reason });
      };
      child.once('close', finish);
      // Background processes of the command may keep its output open.
      setTimeout(finish, 200).unref();
    });
    // A command need not read its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  }).catch((error) => ({ warning: id + ' could not be run: ' + error.message }));
}

// Canonical names of tools with other names in this product.
const TOOLS = {
  __proto__: null,
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
};

function toolOf(name) {
  return [TOOLS[name] ?? name].flat()[0];
}

// Returns all names by which a matcher can select a tool.
function namesOf(name) {
  const names = [name, TOOLS[name] ?? []].flat();
  if (names.includes('Edit')) names.push('MultiEdit');
  if (names.includes('Task')) names.push('Agent');
  return [...names, ...serverNames(name)];
}

// The name of an MCP tool starts with the name of its server, whose end is unknown.
function serverNames(name) {
  if (TOOLS[name] || !name.startsWith('')) return [];
  const parts = name.slice(0).split('_');
  const join = (some) => some.join('_');
  return parts.slice(1).map((_, at) => {
    return 'mcp__' + join(parts.slice(0, at + 1)) + '__' + join(parts.slice(at + 1));
  });
}

// Compares names separated by | or commas with the whole name. Any other matcher is a regular
// expression.
function matches(matcher, names) {
  if (!matcher || matcher.trim() === '*') return true;
  const list = /^[\w\s|,-]+$/.test(matcher) && matcher.split(/[|,]/).map((name) => name.trim());
  const isMatch = (name) => (list ? list.includes(name) : new RegExp(matcher).test(name));
  return names.some(isMatch);
}

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
