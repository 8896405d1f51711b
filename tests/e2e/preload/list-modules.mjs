import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Appends the URL of each module that the program loads to a file.
registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(process.env.TEST_MODULES_FILE, `${url}\n`);
    return nextLoad(url, context);
  },
});
