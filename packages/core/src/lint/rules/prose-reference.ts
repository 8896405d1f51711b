import type { Artifact } from '../../artifact/types.ts';
import { nearest } from '../../text/nearest.ts';
import { shorten } from '../../text/shorten.ts';
import type { LintContext } from '../context.ts';
import { NOTHING, atOffset, bodyOffset, proseManifest, type Finding } from '../finding.ts';
import { confirmLinks } from '../links/confirm-links.ts';
import { findTarget, packagePaths, type LinkTarget } from '../links/link-target.ts';
import { possibleLinks } from '../links/possible-links.ts';
import { isTooLarge } from './sizes.ts';

/** After so many broken links there is no need to look for more. */
const MOST_FOUND = 50;
/** Packages of so many files get suggestions; in larger ones looking for them takes too long. */
const SUGGESTED_FROM = 64;

/**
 * `lint.prose_reference`: a relative link in the body is a bundled file, the package's own manifest
 * or a known artifact, and stays inside the package. Web addresses are taken as they are written:
 * lint does no I/O, and a registry that asked for every address an author names could be sent
 * anywhere.
 *
 * Links are what Markdown says they are. But the parser is too slow for every body of a large
 * catalogue, so it sees only those in which something that may be a link leads nowhere.
 */
export function proseReference(artifact: Artifact, context: LintContext): readonly Finding[] {
  const manifest = proseManifest(artifact);
  if (manifest === undefined || isTooLarge(artifact)) return NOTHING;
  const possible = possibleLinks(manifest.body);
  if (possible.length === 0) return NOTHING;
  const paths = packagePaths(artifact);
  const doubtful = possible.filter(
    ({ destination, certain }) =>
      !certain || findTarget(destination, paths, context.known_ids).kind !== 'found',
  );
  if (doubtful.length === 0) return NOTHING;
  const start = bodyOffset(manifest);
  const found: Finding[] = [];
  for (const { offset, destination } of confirmLinks(manifest.body, doubtful)) {
    const target = findTarget(destination, paths, context.known_ids);
    if (target.kind === 'found') continue;
    const place = atOffset(manifest, start + offset);
    found.push({ ...describe(destination, target, paths), place });
    if (found.length === MOST_FOUND) break;
  }
  return found;
}

function describe(
  destination: string,
  target: Exclude<LinkTarget, { kind: 'found' }>,
  paths: ReadonlySet<string>,
): Omit<Finding, 'place'> {
  const shown = shorten(destination);
  if (target.kind === 'outside') {
    return {
      code: 'lint.prose_reference',
      message: `The link to \`${shown}\` leaves the package.`,
      fix: 'Bundle the file with the artifact, or link to its artifact by id.',
    };
  }
  const near =
    paths.size <= SUGGESTED_FROM && target.path.length <= 80
      ? nearest(target.path, paths)
      : undefined;
  return {
    code: 'lint.prose_reference',
    message: `Broken link: \`${shown}\` is neither a bundled file nor an artifact.`,
    ...(near === undefined ? {} : { fix: `Did you mean \`${near}\`?` }),
  };
}
