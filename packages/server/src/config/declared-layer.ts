import { FORCE_PUSH_POLICIES } from '@catalog/contract/records/layer';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { readGitProvider, readLayerRoot, readRepo } from '@catalog/core/layer/source-fields';
import { layerVisibility } from '@catalog/core/layer/read-layer-config';
import type { LayerVisibility } from '@catalog/core/layer/visibility';
import {
  INVALID_FIELD,
  matching,
  member,
  oneOf,
  record,
  text,
  type Check,
} from '@catalog/core/manifest/field-checks';
import { tenant } from './tenant-name.ts';

export interface DeclaredSource {
  git?: {
    repo: string;
    ref?: string;
    root?: string;
    force_push_policy?: (typeof FORCE_PUSH_POLICIES)[number];
    git_provider?: string;
  };
  local?: { path: string };
}

export interface DeclaredLayer {
  id: string;
  /** Tenant of the layer; the default tenant if absent. */
  tenant?: string;
  source: DeclaredSource;
  /** Visibility; the whole organization if absent (SPEC-6). */
  visibility?: LayerVisibility;
}

const layerId = matching(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
  'a name of letters, digits, dots, dashes, and underscores',
  INVALID_FIELD,
  'Choose another id.',
);

function readBy(read: (value: string) => string): Check<string> {
  const words = text();
  return {
    shape: words.shape,
    read(value, at) {
      const given = words.read(value, at);
      if (given === undefined) return undefined;
      try {
        return read(given);
      } catch (error) {
        if (!(error instanceof CatalogError)) throw error;
        const { message, suggested_action: fix } = error;
        at.problems.push({ path: [...at.path], code: INVALID_FIELD, message, fix });
        return undefined;
      }
    },
  };
}

const source = record<DeclaredSource>({
  create: () => ({}),
  members: [
    member(
      'git',
      record<NonNullable<DeclaredSource['git']>>({
        create: () => ({ repo: '' }),
        required: ['repo'],
        members: [
          member('repo', readBy(readRepo)),
          member('ref', text()),
          member('root', readBy(readLayerRoot)),
          member('force_push_policy', oneOf(FORCE_PUSH_POLICIES)),
          member(
            'git_provider',
            readBy((provider) => readGitProvider(provider, 'git')),
          ),
        ],
        strict: true,
      }),
    ),
    member(
      'local',
      record<NonNullable<DeclaredSource['local']>>({
        create: () => ({ path: '' }),
        required: ['path'],
        members: [member('path', text())],
        strict: true,
      }),
    ),
  ],
  strict: true,
});

const oneSource: Check<DeclaredSource> = {
  shape: source.shape,
  read(value, at) {
    const read = source.read(value, at);
    if (read === undefined || (read.git === undefined) !== (read.local === undefined)) return read;
    at.problems.push({
      path: [...at.path],
      code: INVALID_FIELD,
      message: 'A layer has exactly one source: `git` or `local`.',
      fix: 'Remove one of the two.',
    });
    return undefined;
  },
};

export const declaredLayer: Check<DeclaredLayer> = record<DeclaredLayer>({
  create: () => ({ id: '', source: {} }),
  required: ['id', 'source'],
  members: [
    member('id', layerId),
    member('tenant', tenant),
    member('source', oneSource),
    member('visibility', layerVisibility),
  ],
  strict: true,
});
