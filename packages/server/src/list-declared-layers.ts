import { basename } from 'node:path';
import { statSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { ONLY_TENANT_NAME } from '@catalog/core/ports/tenant';
import type { LayerVisibility } from '@catalog/core/layer/visibility';
import { listLayerFolders } from '@catalog/core/node/read-folder-registry';
import { readLayerVisibility } from '@catalog/core/node/read-layer-visibility';
import type { LayerDeclaration } from './registry/layers/declare-layers.ts';
import type { DeclaredLayer } from './config/declared-layer.ts';
import type { Settings } from './config/settings.ts';

/**
 * Lists declared layers, lowest precedence first: those of the file, then those of the folder, which belong to the
 * default tenant.
 */
export function listDeclaredLayers({
  layers,
  layer_path,
}: Settings): ReadonlyMap<string, LayerDeclaration[]> {
  const byTenant = Map.groupBy(layers, ({ tenant = ONLY_TENANT_NAME }) => tenant);
  const declared = new Map([...byTenant].map(([tenant, own]) => [tenant, own.map(ofFile)]));
  if (layer_path === undefined) return declared;
  const unnamed = declared.get(ONLY_TENANT_NAME) ?? [];
  declared.set(ONLY_TENANT_NAME, withFolder(unnamed, layer_path));
  return declared;
}

function withFolder(declared: LayerDeclaration[], layer_path: string): LayerDeclaration[] {
  for (const layer of ofFolder(layer_path)) {
    if (declared.some(({ id }) => id === layer.id)) {
      throw new CatalogError(
        'config.invalid',
        `The layer ${layer.id} of ${layer_path} has the same id as a layer in the configuration file.`,
        {
          details: { key: 'layer_path', value: layer.id },
          suggested_action: 'Rename the directory, or the layer in the file.',
        },
      );
    }
    declared.push(layer);
  }
  return declared;
}

export function defaultVisibility({ default_layer_visibility }: Settings): LayerVisibility {
  return {
    public: default_layer_visibility === 'public',
    organization: default_layer_visibility === 'organization',
    groups: null,
    users: null,
  };
}

function ofFile({ id, source: { git, local }, visibility }: DeclaredLayer): LayerDeclaration {
  return {
    id,
    source_type: git === undefined ? 'local' : 'git',
    repo: git?.repo ?? '',
    ref: git?.ref ?? '',
    root: git?.root ?? '',
    local_path: local?.path ?? '',
    git_provider: git?.git_provider ?? '',
    force_push_policy: git?.force_push_policy ?? '',
    visibility,
  };
}

function ofFolder(path: string): LayerDeclaration[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new CatalogError('config.invalid', `The layer path ${path} is not a directory.`, {
      details: { key: 'layer_path', path },
      suggested_action:
        'Use the directory that contains your artifacts: `catalog serve --layer-path <folder>`.',
    });
  }
  return listLayerFolders(path).map(({ name, root }) =>
    local(name, root, readLayerVisibility(root)),
  );
}

function local(
  name: string,
  local_path: string,
  visibility: LayerVisibility | undefined,
): LayerDeclaration {
  return {
    // The root of a file system has no name.
    id: name === '' ? basename(local_path) || 'root' : name,
    source_type: 'local',
    repo: '',
    ref: '',
    root: '',
    local_path,
    git_provider: '',
    force_push_policy: '',
    visibility,
  };
}
