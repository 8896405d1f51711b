// Written by catalog: runs hooks of the catalog as extensions of Pi.
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
  powershell: 'PowerShell',
  read: 'Read',
  edit: 'Edit',
  write: 'Write',
  grep: 'Grep',
  find: 'Glob',
  ls: 'LS',
};
const OWN_TOOLS = ['bash', 'powershell', 'read', 'edit', 'write', 'grep', 'find', 'ls'];

function toolOf(name) {
  return [TOOLS[name] ?? name].flat()[0];
}

// Returns all names by which a matcher can select a tool.
function namesOf(name) {
  const names = [name, TOOLS[name] ?? []].flat();
  if (names.includes('Edit')) names.push('MultiEdit');
  if (names.includes('Task')) names.push('Agent');
  return [...names];
}

// Compares names separated by | or commas with the whole name. Any other matcher is a regular
// expression.
function matches(matcher, names) {
  if (!matcher || matcher.trim() === '*') return true;
  // The name of a tool does not show its server.
  if (/mcp/.test(matcher) && !OWN_TOOLS.includes(names[0])) return true;
  const list = /^[\w\s|,-]+$/.test(matcher) && matcher.split(/[|,]/).map((name) => name.trim());
  const isMatch = (name) => (list ? list.includes(name) : new RegExp(matcher).test(name));
  return names.some(isMatch);
}

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
