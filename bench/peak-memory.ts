/** Preloaded into a program with `--import`; writes its peak memory to a file at exit. */
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const path = process.env['PEAK_MEMORY'];
  if (path !== undefined) writeFileSync(path, String(process.resourceUsage().maxRSS));
});
