// Written by catalog: runs hooks of the catalogue as plugins of OpenCode.
import { spawn } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

// What ends each command that runs; all of them end with this process.
const running = new Set();
process.on('exit', () => running.forEach((stop) => stop()));

// Gives { block } or { warning } with the reason, or { text } with what the command printed.
function runCommand({ id, command, timeout }, payload) {
  return new Promise((done) => {
    const input = JSON.stringify(payload) + '\n';
    const own = process.platform !== 'win32';
    const child = spawn(command, { cwd: root, shell: true, detached: own, windowsHide: true });
    const said = { stdout: '', stderr: '' };
    let late = false;
    // The command and all it has started.
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
      // What the command left in the background may keep its output open.
      setTimeout(finish, 200).unref();
    });
    // A command need not read its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  }).catch((error) => ({ warning: id + ' could not be run: ' + error.message }));
}

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
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
