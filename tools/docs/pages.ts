import { commandsPage } from './commands-page.ts';
import { configPage } from './config-page.ts';
import { errorsPage } from './errors-page.ts';
import { executableContentPage } from './executable-content-page.ts';
import { frontmatterPage } from './frontmatter-page.ts';
import { harnessKeysPage } from './harness-keys-page.ts';
import { harnessesPage } from './harnesses-page.ts';
import { httpApiPage, openApiFile } from './http-api-page.ts';
import { lintPage } from './lint-page.ts';
import { metricsPage } from './metrics-page.ts';
import { settingsPage } from './settings-page.ts';

export const pages: Readonly<Record<string, () => string>> = {
  'commands.md': commandsPage,
  'config.md': configPage,
  'errors.md': errorsPage,
  'executable-content.md': executableContentPage,
  'frontmatter.md': frontmatterPage,
  'harness-keys.md': harnessKeysPage,
  'harnesses.md': harnessesPage,
  'http-api.md': httpApiPage,
  'lint.md': lintPage,
  'metrics.md': metricsPage,
  'openapi.json': openApiFile,
  'settings.md': settingsPage,
};
