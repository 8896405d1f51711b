import { keyOf, type LayerEntry } from '@catalog/core/layer/place-entries';
import type { Diagnostic } from '@catalog/core/lint/diagnostic';
import { diagnose } from '@catalog/core/manifest/diagnose';
import { WHOLE_FILE } from '@catalog/core/manifest/position';

const ADVICE = {
  lfs_pointer: {
    message:
      'is a Git LFS pointer: the file itself is not in the repository, so the pointer is served instead',
    fix: 'Commit the file itself (`git lfs migrate export`), or list it under external_resources.',
  },
  submodule: {
    message: 'is a submodule, which catalog does not follow',
    fix: 'If it contains artifacts, register its repository as a separate layer.',
  },
} as const;

/** A remark about how a file is kept, which stops nothing. */
export function advise(what: keyof typeof ADVICE, entry: LayerEntry, layer: string): Diagnostic {
  const { message, fix } = ADVICE[what];
  return diagnose(
    { code: 'ingest.source_unreachable', message: `${entry.path} ${message}.`, fix },
    'warning',
    WHOLE_FILE,
    { file: entry.path, artifact_id: keyOf(entry), layer },
  );
}

const LFS_FIRST_LINE = Buffer.from('version https://git-lfs.github.com/spec/v1\n');
const LONGEST_LFS_POINTER = 1024;

export function isLfsPointer(bytes: Uint8Array): boolean {
  return (
    bytes.length < LONGEST_LFS_POINTER &&
    LFS_FIRST_LINE.equals(bytes.subarray(0, LFS_FIRST_LINE.length))
  );
}
