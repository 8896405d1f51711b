/**
 * A git host in a process of its own, so that whoever measures may wait for git without keeping the
 * host from answering. Serves the repositories of a folder until its input ends; prints its port.
 *
 * node git-host.ts <folder>
 */
import { startGitServer } from '@catalog/testkit/git-server';

const [folder = ''] = process.argv.slice(2);
const server = await startGitServer(folder);
process.stdout.write(`${server.port}\n`);
process.stdin.resume();
process.stdin.on('end', () => void server.close());
