// Loaded before the program: file events are unavailable, as on a system without free watches, and every poll of the
// folder POLLED is logged with its time.
const fs = require('node:fs');

fs.watch = () => {
  throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
    code: 'ENOSPC',
  });
};
const { readdirSync } = fs;
fs.readdirSync = (path, ...rest) => {
  if (path === process.env.POLLED) fs.appendFileSync(process.env.POLL_LOG, `${Date.now()}\n`);
  return readdirSync(path, ...rest);
};
require('node:module').syncBuiltinESMExports();
