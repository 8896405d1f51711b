// Written by catalog for Cline; a change here is lost with the next sync.
//
// It runs the hooks in the folder cline next to it, by catalog's contract for hooks.
//
//   Stdin    one JSON object: event, harness, tool, input (with path, content and command), output,
//            prompt, cwd, session_id, and as "native" the object Cline sent.
//   Exit 0   allows; what the command printed is context.
//   Exit 2   blocks, with the reason from stderr.
//   Other    codes warn and never block, and so does a command that runs out of time.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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
  run_commands: 'Bash',
  read_files: 'Read',
  editor: ['Edit', 'Write'],
  apply_patch: ['Edit', 'Write'],
  search_codebase: 'Grep',
  fetch_web_content: 'WebFetch',
  execute_command: 'Bash',
  read_file: 'Read',
  write_to_file: ['Write', 'Edit'],
  replace_in_file: 'Edit',
  search_files: 'Grep',
  list_files: 'LS',
  web_fetch: 'WebFetch',
  web_search: 'WebSearch',
  use_subagents: 'Task',
};
const OWN_TOOLS = ['run_commands', 'read_files', 'editor', 'apply_patch', 'search_codebase', 'fetch_web_content', 'execute_command', 'read_file', 'write_to_file', 'replace_in_file', 'search_files', 'list_files', 'web_fetch', 'web_search', 'use_subagents'];

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
const ONLY = {
  __proto__: null,
  pre_shell_execution: ['Bash'],
  post_shell_execution: ['Bash'],
  pre_read_file: ['Read'],
  post_file_edit: ['Edit', 'Write'],
};
const CAN_STOP = ['PreToolUse', 'UserPromptSubmit'];
const TAKES_CONTEXT = ['PreToolUse', 'PostToolUse'];
const NOT_OF_SUBAGENTS = ['session_start', 'user_prompt_submit', 'stop'];

const on = basename(process.argv[1]);

function readHooks() {
  const folder = join(root, '.catalog/hooks/cline');
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
}

// Cline sends all members of the input as strings; values of other types are JSON.
function inputOf(parameters) {
  if (!parameters) return undefined;
  const entries = Object.entries(parameters).map(([key, value]) => [key, parsed(value)]);
  const input = Object.fromEntries(entries);
  const { commands, files, file_paths } = input;
  const first = files?.[0] ?? file_paths?.[0];
  return {
    ...input,
    path: input.path ?? first?.path ?? first,
    content: input.content ?? input.diff,
    command: Array.isArray(commands) ? commands.map(lineOf).join('\n') : input.command,
  };
}

function lineOf(command) {
  return typeof command === 'string' ? command : [command.command, ...(command.args ?? [])].join(' ');
}

function parsed(value) {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function describe(native) {
  const { preToolUse: before, postToolUse: after, userPromptSubmit: submitted } = native;
  const { toolName, parameters } = before ?? after ?? {};
  return {
    tool: toolOf(toolName),
    input: inputOf(parameters),
    output: after?.result,
    error: after?.success === false ? after.result : undefined,
    prompt: submitted?.prompt,
    cwd: native.workspaceRoots?.[0],
    session_id: native.taskId,
  };
}

function applies({ event, matcher }, native) {
  if (native.parent_agent_id && NOT_OF_SUBAGENTS.includes(event)) return false;
  const { toolName } = native.preToolUse ?? native.postToolUse ?? {};
  if (toolName === undefined) return true;
  if (event === 'post_tool_use_failure' && native.postToolUse?.success !== false) return false;
  if (ONLY[event] !== undefined) return ONLY[event].includes(toolOf(toolName));
  return matches(matcher, namesOf(toolName));
}

async function main() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const native = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const hooks = readHooks().filter((hook) => hook.on === on && applies(hook, native));
  const outcomes = await Promise.all(
    hooks.map((hook) =>
      runCommand(hook, { event: hook.event, harness: 'cline', ...describe(native), native }),
    ),
  );
  return answer(outcomes);
}

function answer(outcomes) {
  const blocks = outcomes.flatMap(({ block }) => block ?? []);
  const texts = outcomes.flatMap(({ text }) => (text ? [text] : []));
  const warnings = outcomes.flatMap(({ warning }) => warning ?? []);
  const cancel = blocks.length > 0 && CAN_STOP.includes(on);
  // After a tool, the reason of a block goes to the model. Other events cannot be stopped.
  const context = TAKES_CONTEXT.includes(on) ? [...texts, ...(cancel ? [] : blocks)] : [];
  return {
    cancel,
    errorMessage: cancel ? blocks.join('\n') : '',
    contextModification: context.join('\n\n'),
    said: [...warnings, ...(cancel ? [] : blocks)].join('\n'),
  };
}

for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const { said, ...output } = await main().catch(({ message }) => ({
  cancel: false,
  said: 'the hooks of ' + on + ' were not run: ' + message,
}));
if (said) process.stderr.write(said + '\n');
process.stdout.write(JSON.stringify(output) + '\n', () => process.exit(0));
