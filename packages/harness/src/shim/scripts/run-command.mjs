import { spawn } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

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
export function runCommand({ id, command, timeout }, payload) {
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
