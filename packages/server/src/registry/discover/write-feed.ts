import { webUi } from '@catalog/contract/endpoints/browser';
import type { ArtifactEntry } from '@catalog/contract/records/discovery';
import { escapeXml } from '@catalog/core/text/escape-xml';
import type { RegistrySettings } from '../registry.ts';

const NEVER = '1970-01-01T00:00:00.000Z';

type FeedSettings = Pick<RegistrySettings, 'public_url' | 'has_web_ui'>;

/** Writes an Atom feed (RFC 4287), newest first. */
export function writeFeed(settings: FeedSettings, artifacts: readonly ArtifactEntry[]): string {
  const { public_url } = settings;
  const self = `${public_url}/v1/recent.atom`;
  const updated = artifacts[0]?.updated_at ?? NEVER;
  const entries = artifacts.map((artifact) => writeEntry(settings, artifact));
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${quote(self)}</id>
  <title>catalog: recent changes</title>
  <updated>${updated}</updated>
  <author><name>catalog</name></author>
  <link rel="self" type="application/atom+xml" href="${quote(self)}"/>
${entries.join('')}</feed>
`;
}

function writeEntry({ public_url, has_web_ui }: FeedSettings, artifact: ArtifactEntry): string {
  const { id, version, type, summary, tags, updated_at } = artifact;
  const query = new URLSearchParams({ id, version });
  const url = quote(`${public_url}/v1/load_artifact?${query.toString()}`);
  const terms = [type, ...tags].map((term) => `    <category term="${quote(term)}"/>\n`);
  return `  <entry>
    <id>${url}</id>
    <title>${quote(`${id} ${version}`)}</title>
    <updated>${updated_at}</updated>
${has_web_ui ? linkPage(public_url, id, version) : ''}    <link rel="alternate" type="application/json" href="${url}"/>
${terms.join('')}    <summary type="text">${quote(summary)}</summary>
  </entry>
`;
}

/** Links the page first and then the Markdown, because feed readers open the first link. */
function linkPage(public_url: string, id: string, version: string): string {
  const path = id.split('/').map(encodeURIComponent).join('/');
  const query = new URLSearchParams({ version }).toString();
  const url = `${public_url}${webUi.path}artifacts/${path}?${query}`;
  return `    <link rel="alternate" type="text/html" href="${quote(url)}"/>\n`;
}

/** XML 1.0 cannot represent most control characters or unpaired surrogates, even escaped. */
// oxlint-disable-next-line no-control-regex -- the characters XML forbids
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

function quote(text: string): string {
  return escapeXml(text.toWellFormed().replaceAll(FORBIDDEN, '\uFFFD'));
}
