import { webUi } from '@catalog/contract/endpoints/browser';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import { openBrowser } from '../identity/open-browser.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { openDefinition } from './definition.ts';

type Input = CommandInput<typeof openDefinition>;

export async function run(
  { arguments: args, flags }: Input,
  session: Session,
): Promise<CommandResult> {
  const client = loadRegistryServer(session, flags);
  const { registry } = loadConfig(toConfigInput(session, toConfigFlags(flags)));
  await client.session(session.signal).catch((error: unknown) => {
    if (!(error instanceof CatalogError) || error.code !== 'registry.not_found') throw error;
    throw new CatalogError('registry.not_found', 'This registry does not serve the web UI.', {
      suggested_action: 'Start it with `catalog serve --web-ui`, or set `web_ui.enabled`.',
    });
  });
  const url = pageUrl(registry?.value ?? '', args.artifact);
  openBrowser(url, session);
  return { lines: [url], json: { url } };
}

/** Returns the URL of a page. `ops/deploy/check@1.0.0` selects a version. */
function pageUrl(registry: string, artifact: string | undefined): string {
  const base = `${registry.replace(/\/+$/, '')}${webUi.path}`;
  if (artifact === undefined) return base;
  const [id = '', version] = artifact.split('@');
  const path = id.split('/').map(encodeURIComponent).join('/');
  const query = version === undefined ? '' : `?version=${encodeURIComponent(version)}`;
  return `${base}artifacts/${path}${query}`;
}
