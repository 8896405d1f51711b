import { describeCache } from '@catalog/consumer/cache/prune-cache';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { CommandResult, Session } from '../../command/session.ts';
import { formatBytes } from '@catalog/core/text/format-bytes';
import { shortPath } from '../../output/places.ts';
import { alignColumns } from '../../output/text.ts';
import { toConfigInput } from '../config-flags.ts';

export function run(_input: unknown, session: Session): CommandResult {
  const folder = loadConfig(toConfigInput(session, {})).cache.value;
  const parts = describeCache(folder);
  const bytes = Object.values(parts).reduce((sum, part) => sum + part.bytes, 0);
  return {
    lines: [
      `${shortPath(folder, session)}  ${formatBytes(bytes)}`,
      ...alignColumns(
        [
          ['artifacts', formatBytes(parts.packs.bytes)],
          ['large files', formatBytes(parts.blobs.bytes)],
          ['manifests', formatBytes(parts.manifests.bytes)],
          ['registry views', formatBytes(parts.index.bytes)],
          ['signatures', formatBytes(parts.signatures.bytes)],
        ],
        '  ',
      ),
    ],
    json: { folder, bytes, ...parts },
  };
}
