import type { Artifact } from '../../artifact/types.ts';
import { NOTHING, atField, type Finding } from '../finding.ts';

export function unsupportedFields({ manifest }: Artifact): readonly Finding[] {
  if (manifest === undefined || !Object.hasOwn(manifest.values, 'external_resources')) {
    return NOTHING;
  }
  return [
    {
      code: 'lint.unsupported_field',
      message: '`external_resources` is not supported: nothing downloads the files it lists.',
      fix: 'Bundle the files, or have a script in the artifact download them and compare their hash.',
      place: atField(manifest, 'external_resources'),
    },
  ];
}
