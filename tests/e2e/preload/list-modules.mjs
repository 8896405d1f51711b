import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(process.env.TEST_MODULES_FILE, `${url}\n`);
    return nextLoad(url, context);
  },
});
