/** Loaded before a program with `--import`: leaves in a file how much memory it held at most. */
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const path = process.env['PEAK_MEMORY'];
  if (path !== undefined) writeFileSync(path, String(process.resourceUsage().maxRSS));
});
