export const NATIVE_HOOK_FILE = 'run-native.mjs';

export const HOOK_FOLDER = 'HOOK_FOLDER';

/**
 * Script that runs a command written for the hooks of one product, in the working folder of the agent. The command
 * receives `native` of the canonical input. Its exit code stays, but a JSON decision to stop becomes exit code 2 with
 * the reason.
 */
export const NATIVE_HOOK_SCRIPT = String.raw`// Runs a command written for the hooks of one product by catalog's contract for hooks.
// Its argument is the command.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const [command] = process.argv.slice(2);

async function readInput() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

// The reason for which an answer stops something; undefined where it stops nothing.
function refusal(answer) {
  const { hookSpecificOutput: own = {} } = answer;
  const says = own.permissionDecision ?? own.decision?.behavior ?? answer.permission;
  const stops = ['deny', 'block'].includes(says ?? answer.permissionDecision ?? answer.decision);
  if (!stops && answer.continue !== false) return undefined;
  const reasons = [own.permissionDecisionReason, own.decision?.message, answer.reason];
  reasons.push(answer.permissionDecisionReason, answer.stopReason, answer.user_message);
  return reasons.find((reason) => reason) ?? 'blocked';
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function run({ native, cwd }) {
  const env = { ...process.env, HOOK_FOLDER: dirname(fileURLToPath(import.meta.url)) };
  const at = [native.cwd, cwd].find((folder) => folder && existsSync(folder));
  return new Promise((done) => {
    const child = spawn(command, { shell: true, env, cwd: at, windowsHide: true });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => (said[name] += text));
    }
    child.on('error', ({ message }) => done({ code: 1, stdout: '', stderr: message }));
    child.on('close', (code) => done({ code: code ?? 1, ...said }));
    // A command need not read its input.
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(native) + '\n');
  });
}

const input = await readInput();
const payload = { ...input, native: input.native ?? input };
const { code, stdout, stderr } = await run(payload);
const answer = code === 0 ? parsed(stdout) : undefined;
const reason = answer === undefined ? undefined : refusal(answer);
const context =
  answer === undefined
    ? stdout
    : (answer.hookSpecificOutput?.additionalContext ?? answer.additional_context);
process.stderr.write(reason ?? stderr);
process.stdout.write(reason === undefined ? (context ?? '') : '');
process.exitCode = reason === undefined ? code : 2;
`;
