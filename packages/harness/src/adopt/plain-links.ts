import { confirmLinks } from '@catalog/core/lint/links/confirm-links';
import { findTarget } from '@catalog/core/lint/links/link-target';
import { possibleLinks } from '@catalog/core/lint/links/possible-links';
import type { Candidate } from './candidate.ts';
import { foldersAbove } from './path-set.ts';
import { splitFrontmatter } from './product-text.ts';

/** Markdown link or image, `[text](target "title")`. */
const INLINE =
  /!?\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)\]\(\s*(?:<([^<>\n]*)>|([^\s()<>]+))(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/y;

const NO_IDS: ReadonlySet<string> = new Set();

/** Replaces links to files outside the artifact by their text, because lint rejects such links. */
export function withPlainLinks(candidate: Candidate): Candidate {
  const { skill, body, resources } = candidate;
  const paths = new Set(resources.flatMap(({ path }) => [path, ...foldersAbove(path)]));
  const { head, body: prose } =
    skill === undefined ? { head: '', body } : splitFrontmatter(skill.text);
  const { text, destinations } = plainLinks(prose, paths);
  if (destinations.length === 0) return candidate;
  const changes = destinations.map(
    (destination) => `the link to ${destination} is text: that file does not come along`,
  );
  return {
    ...candidate,
    ...(skill === undefined ? { body: text } : { skill: { ...skill, text: head + text } }),
    changes: [...candidate.changes, ...new Set(changes)],
  };
}

function plainLinks(
  prose: string,
  paths: ReadonlySet<string>,
): { text: string; destinations: string[] } {
  let text = '';
  let offset = 0;
  const destinations: string[] = [];
  for (const link of confirmLinks(prose, possibleLinks(prose))) {
    if (findTarget(link.destination, paths, NO_IDS).kind === 'found') continue;
    INLINE.lastIndex = link.offset;
    const [whole, label = '', angled, bare = ''] = INLINE.exec(prose) ?? [];
    if (whole === undefined || link.offset < offset) continue;
    const destination = angled ?? bare;
    text += prose.slice(offset, link.offset) + asText(label, destination);
    offset = link.offset + whole.length;
    destinations.push(destination);
  }
  return { text: text + prose.slice(offset), destinations };
}

function asText(label: string, destination: string): string {
  const code = `\`${destination}\``;
  return label === '' || label === destination || label === code ? code : `${label} (${code})`;
}
