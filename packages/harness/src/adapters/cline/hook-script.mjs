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
import { root, runCommand } from '../../shim/scripts/run-command.mjs';

import { matches, namesOf, toolOf } from '../../shim/scripts/match-tools.mjs';
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
  // @ts-expect-error readdirSync without an encoding returns strings
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.json'));
  // @ts-expect-error readdirSync without an encoding returns strings
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
  // prettier-ignore
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
