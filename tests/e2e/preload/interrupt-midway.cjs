// Loaded before the program, which is interrupted while it writes its files.
const fs = require('node:fs');

const { openSync } = fs;
let written = 0;
fs.openSync = (path, flags, ...rest) => {
  if (flags === 'wx') written += 1;
  if (written === Number(process.env.INTERRUPT_AT)) process.kill(process.pid, 'SIGINT');
  return openSync(path, flags, ...rest);
};
require('node:module').syncBuiltinESMExports();
