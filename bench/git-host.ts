/**
 * A git host in its own process, so that a benchmark can block on git without blocking the host.
 * Serves the repositories of a folder until its input ends; prints its port.
 * node git-host.ts <folder>
 */
import { startGitServer } from '@catalog/testkit/git-server';

const [folder = ''] = process.argv.slice(2);
const server = await startGitServer(folder);
process.stdout.write(`${server.port}\n`);
process.stdin.resume();
process.stdin.on('end', () => void server.close());
