import { webUi, webUiAsset, webUiRoot } from '@catalog/contract/endpoints/browser';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { PageFiles } from '../../browser/page-files.ts';
import { matchesEtag } from '../matches-etag.ts';
import { defineRoute, type Call, type Reply, type Route } from '../route.ts';

/** Files of the registry itself and nothing else; no script in the page, no frame around it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page at `/app/`, its files, and the way there. */
export function webUiRoutes(files: PageFiles): Route[] {
  function serve(name: string, { header }: Pick<Call, 'header'>): Reply {
    const file = files.get(name);
    if (file === undefined) {
      throw new CatalogError('registry.not_found', 'The web UI has no such file.');
    }
    const headers = {
      ETag: file.etag,
      'Content-Security-Policy': POLICY,
      // With none at all a browser calls the origin of a form `null`, and the origin gate refuses that.
      'Referrer-Policy': 'same-origin',
    };
    return matchesEtag(header('if-none-match'), file.etag)
      ? { kind: 'empty', status: 304, headers }
      : { kind: 'bytes', status: 200, bytes: file.bytes, media_type: file.media_type, headers };
  }
  return [
    defineRoute(webUi, async (call) => serve('index.html', call)),
    defineRoute(webUiAsset, async (call) => serve(call.params.file, call)),
    defineRoute(webUiRoot, async () => ({
      kind: 'empty',
      status: 302,
      headers: { Location: webUi.path },
    })),
  ];
}
