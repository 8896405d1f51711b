import { provideDemoServer } from '../../../tools/harness-programs/demo-server.ts';
import { everything } from '../../../tools/harness-programs/fixtures.ts';
import { assertSealed } from '../../../tools/harness-programs/namespace.ts';
import type { Loaded } from '../../../tools/harness-programs/program.ts';
import { programs } from '../../../tools/harness-programs/programs/index.ts';
import { startRecorder } from '../../../tools/harness-programs/recorder.ts';
import { SEALED_PATH } from '../../../tools/harness-programs/run-sealed.ts';
import { newFolder } from '../../../tools/harness-programs/workspace.ts';

/** Runs inside the namespace: prints the items that one program loads from each workspace, as JSON. */
assertSealed();
const [name, installed = '', ...workspaces] = process.argv.slice(2);
const program = programs.find((candidate) => candidate.name === name);
if (program === undefined) throw new RangeError(`no program "${name}"`);
const listings: Loaded[] = [];
for (const workspace of workspaces) {
  const recorder = await startRecorder();
  const asking = {
    program: JSON.parse(installed),
    workspace,
    home: newFolder('home'),
    recorder,
    server: provideDemoServer(SEALED_PATH),
    fixture: everything,
  };
  listings.push(await program.observe(asking));
  await recorder.close();
}
process.stdout.write(JSON.stringify(listings));
