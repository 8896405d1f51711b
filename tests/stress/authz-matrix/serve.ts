// Runs a registry from source in its own process with the given settings. Prints its URL as one
// line of JSON, and exits when stdin is closed.
import { serveHere } from './serve-here.ts';

const [settings = '{}'] = process.argv.slice(2);
const served = await serveHere(JSON.parse(settings));
process.stdout.write(`${JSON.stringify({ url: served.url })}\n`);
process.stdin.on('end', () => {
  void served.close().then(() => process.exit(0));
});
process.stdin.resume();
