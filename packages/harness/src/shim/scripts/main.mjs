import { answer, applies, describe } from '../../adapters/claude-code/hook-shim.mjs';
import { command, event, id, timeout } from './arguments.mjs';
import { runCommand } from './run-command.mjs';
import { isSelected } from './select-tool.mjs';

// Events of the main session. Subagents have separate events, and products that report this send an
// agent_id.
const NOT_OF_SUBAGENTS = ['session_start', 'user_prompt_submit', 'stop'];

async function main() {
  const native = await readObject();
  // Some products require a response even if the hook does not run.
  if (!applies(native) || !isSelected(native)) return answer({}, native);
  if (native.agent_id && NOT_OF_SUBAGENTS.includes(event)) return answer({}, native);
  const payload = { event, harness: 'sample-harness', ...describe(native), native };
  return answer(await runCommand({ id, command, timeout }, payload), native);
}

async function readObject() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  // prettier-ignore
  const text = Buffer.concat(chunks).toString('utf8').replace(/^\uFEFF/, '').trim();
  const value = text === '' ? {} : JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error('it is not a JSON object');
  return value;
}

// If Sample Harness stops this script, the command stops as well.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

// prettier-ignore
const { json, stdout, stderr, code = 0 } = await main().catch(({ message }) =>
  answer({ warning: id + ' was not run because its input could not be read: ' + message }, {}),
);
if (stderr) process.stderr.write(stderr + '\n');
const said = json ? JSON.stringify(json) : stdout;
process.stdout.write(said ? said + '\n' : '', () => process.exit(code));
