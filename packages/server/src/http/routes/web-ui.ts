import { webUi, webUiAsset, webUiPage, webUiRoot } from '@catalog/contract/endpoints/browser';
import { artifactMarkdown } from '@catalog/contract/endpoints/materialization';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { PageFile, PageFiles } from '../../browser/page-files.ts';
import { matchesEtag } from '../matches-etag.ts';
import { defineRoute, type Call, type Reply, type Route } from '../route.ts';

/**
 * Hashes of style elements that React Aria inserts. `tests/e2e/web-policy.e2e.test.ts` compares them with the installed
 * library.
 */
const STYLE_HASHES = [
  "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='",
  "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='",
];

/** Content security policy. Images from memory are allowed, because a page shows images of artifacts. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${STYLE_HASHES.join(' ')}`,
  "font-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Safe, because the name of an asset changes with its content. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Pattern of existing pages. Only the path decides, so that the status reveals nothing about hidden content. */
const PAGE =
  /^(?:browse(?:\/.*)?|artifacts\/.+|search|layers(?:\/[^/]+(?:\/edit)?)?|account)?\/?$/s;

const ARTIFACT_PAGE = /^artifacts\/(?<id>.+)$/s;

/** Returns a link to the Markdown page, for clients that run no scripts. */
function linkMarkdown(page: string): Record<string, string> {
  const id = ARTIFACT_PAGE.exec(page)?.groups?.['id'];
  if (id === undefined) return {};
  const query = new URLSearchParams({ id }).toString();
  return { Link: `<${artifactMarkdown.path}?${query}>; rel="alternate"; type="text/markdown"` };
}

export function webUiRoutes({ shell, assets }: PageFiles): Route[] {
  function serve(file: PageFile, { header }: Pick<Call, 'header'>, own = {}): Reply {
    const { bytes, brotli, media_type, etag } = file;
    const headers = {
      ETag: etag,
      'Content-Security-Policy': POLICY,
      // With `no-referrer`, browsers would send `null` as the origin of a form, which the cross-site check rejects.
      'Referrer-Policy': 'same-origin',
      ...own,
    };
    return matchesEtag(header('if-none-match'), etag)
      ? { kind: 'empty', status: 304, headers }
      : { kind: 'bytes', status: 200, bytes, brotli, media_type, headers };
  }
  return [
    defineRoute(webUi, async (call) => serve(shell, call)),
    defineRoute(webUiAsset, async (call) => {
      const file = assets.get(call.params.file);
      if (file === undefined) {
        throw new CatalogError('registry.not_found', 'The web UI has no such file.');
      }
      return serve(file, call, { 'Cache-Control': FOREVER });
    }),
    defineRoute(webUiPage, async (call) => {
      const { page } = call.params;
      const reply = serve(shell, call, linkMarkdown(page));
      return PAGE.test(page) || reply.kind !== 'bytes' ? reply : { ...reply, status: 404 };
    }),
    defineRoute(webUiRoot, async () => ({
      kind: 'empty',
      status: 302,
      headers: { Location: webUi.path },
    })),
  ];
}
