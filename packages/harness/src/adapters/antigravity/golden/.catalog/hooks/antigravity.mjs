// Written by catalog for Antigravity; a change here is lost with the next sync.
//
// It runs the command of one hook by catalog's contract for hooks.
//
//   Stdin    one JSON object: event, harness, tool, input (with path, content and command), output,
//            prompt, cwd, session_id, what else there is, and as "native" the object Antigravity sent.
//   Exit 0   allows; what the command printed is context where Antigravity takes any.
//   Exit 2   blocks, with the reason from stderr.
//   Other    codes warn and never block, and so does a command that runs out of time.
//
// Arguments: the event, the id of the hook, its command, how many seconds that may take, and the
// tools it is for; on Windows, the same as one word in base64.
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

const [event, id, command, timeout, matcher] = readArguments();

function readArguments() {
  const last = process.argv.at(-1);
  if (!last.startsWith('catalog:')) return process.argv.slice(2);
  return JSON.parse(Buffer.from(last.slice(8), 'base64url').toString());
}

// Canonical names of tools with other names in this product.
const TOOLS = {
  __proto__: null,
  run_command: 'Bash',
  view_file: 'Read',
  write_to_file: 'Write',
  replace_file_content: 'Edit',
  multi_replace_file_content: 'Edit',
  grep_search: 'Grep',
  find_by_name: 'Glob',
  list_dir: 'LS',
  read_url_content: 'WebFetch',
  search_web: 'WebSearch',
  invoke_subagent: 'Task',
};
const OWN_TOOLS = ['run_command', 'view_file', 'write_to_file', 'replace_file_content', 'multi_replace_file_content', 'grep_search', 'find_by_name', 'list_dir', 'read_url_content', 'search_web', 'invoke_subagent'];

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

function describe(native) {
  const { name, args } = native.toolCall ?? {};
  return {
    tool: toolOf(name),
    input: args && {
      ...args,
      path: args.TargetFile ?? args.AbsolutePath ?? args.DirectoryPath,
      content: args.CodeContent ?? args.ReplacementContent,
      command: args.CommandLine,
    },
    error: native.error || undefined,
    cwd: args?.Cwd ?? native.workspacePaths?.[0],
    session_id: native.conversationId,
  };
}

function applies({ error }) {
  return event !== 'post_tool_use_failure' || Boolean(error);
}

// Every event needs a JSON result; Antigravity ignores exit codes.
function answer({ block, warning }) {
  if (event === 'stop') {
    if (block) return { json: { decision: 'continue', reason: block } };
    return { json: { decision: 'stop' }, stderr: warning };
  }
  if (!event.startsWith('pre_')) return { json: {}, stderr: block ?? warning };
  if (block) return { json: { decision: 'deny', reason: block } };
  return { json: { decision: 'ask' }, stderr: warning };
}

// Returns the name of the tool, and its name with the MCP server.
function moreNames(native) {
  const { server_name: server, tool_name: tool } = native.mcp_context ?? {};
  return [describe(native).tool, ...(server ? ['mcp__' + server + '__' + tool] : [])];
}

// Runs the hook if there is no tool to test the matcher against.
function isSelected(native) {
  const name = native.toolCall?.name;
  if (name) return matches(matcher, [...namesOf(name), ...moreNames(native)]);
  return true;
}

// Events of the main session. Subagents have separate events, and products that report this send an
// agent_id.
const NOT_OF_SUBAGENTS = ['session_start', 'user_prompt_submit', 'stop'];

async function main() {
  const native = await readObject();
  // Some products require a response even if the hook does not run.
  if (!applies(native) || !isSelected(native)) return answer({}, native);
  if (native.agent_id && NOT_OF_SUBAGENTS.includes(event)) return answer({}, native);
  const payload = { event, harness: 'antigravity', ...describe(native), native };
  return answer(await runCommand({ id, command, timeout }, payload), native);
}

async function readObject() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8').replace(/^\uFEFF/, '').trim();
  const value = text === '' ? {} : JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error('it is not a JSON object');
  return value;
}

// If Antigravity stops this script, the command stops as well.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const { json, stdout, stderr, code = 0 } = await main().catch(({ message }) =>
  answer({ warning: id + ' was not run because its input could not be read: ' + message }, {}),
);
if (stderr) process.stderr.write(stderr + '\n');
const said = json ? JSON.stringify(json) : stdout;
process.stdout.write(said ? said + '\n' : '', () => process.exit(code));
