// A registry in a process of its own, run from source with the settings it is given. Prints where it
// listens, one line of JSON; ends when its input does.
import { serveHere } from './serve-here.ts';

const [settings = '{}'] = process.argv.slice(2);
const served = await serveHere(JSON.parse(settings));
process.stdout.write(`${JSON.stringify({ url: served.url })}\n`);
process.stdin.on('end', () => {
  void served.close().then(() => process.exit(0));
});
process.stdin.resume();
