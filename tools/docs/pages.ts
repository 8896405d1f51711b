import { commandsPage } from './commands-page.ts';
import { configPage } from './config-page.ts';
import { errorsPage } from './errors-page.ts';
import { frontmatterPage } from './frontmatter-page.ts';
import { harnessesPage } from './harnesses-page.ts';
import { lintPage } from './lint-page.ts';

/** Every page of the reference. Its folder holds these and nothing else. */
export const pages: Readonly<Record<string, () => string>> = {
  'commands.md': commandsPage,
  'config.md': configPage,
  'errors.md': errorsPage,
  'frontmatter.md': frontmatterPage,
  'harnesses.md': harnessesPage,
  'lint.md': lintPage,
};
