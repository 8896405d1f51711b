import type { Artifact } from '../../artifact/types.ts';
import { nearest } from '../../text/nearest.ts';
import { shorten } from '../../text/shorten.ts';
import type { LintContext } from '../context.ts';
import { NOTHING, atOffset, bodyOffset, proseManifest, type Finding } from '../finding.ts';
import { confirmLinks } from '../links/confirm-links.ts';
import { findTarget, packagePaths, type LinkTarget } from '../links/link-target.ts';
import { possibleLinks } from '../links/possible-links.ts';
import { isTooLarge } from './sizes.ts';

const MAX_BROKEN_LINKS = 50;
/** Maximum number of files searched for suggestions. */
const MAX_FILES_FOR_SUGGESTIONS = 64;

/**
 * Reports broken links to files and artifacts. Web addresses are not checked: lint does no I/O, and an author could
 * direct a registry to any host. A body is parsed only if a scan finds a link that may be broken.
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
    if (found.length === MAX_BROKEN_LINKS) break;
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
    paths.size <= MAX_FILES_FOR_SUGGESTIONS && target.path.length <= 80
      ? nearest(target.path, paths)
      : undefined;
  return {
    code: 'lint.prose_reference',
    message: `Broken link: \`${shown}\` is neither a bundled file nor an artifact.`,
    ...(near === undefined ? {} : { fix: `Did you mean \`${near}\`?` }),
  };
}
