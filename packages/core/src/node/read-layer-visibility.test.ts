import { expect, test } from 'vitest';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { listLayerFolders } from './read-folder-registry.ts';
import { readLayerVisibility } from './read-layer-visibility.ts';

test('readLayerVisibility returns the visibility in .layer-config, or undefined without one', () => {
  const root = temporaryFolder();
  writeTree(root, {
    '.registry-config': 'multi_layer: true\nlayer_order: [team, base]\n',
    'base/.layer-config': 'visibility: {public: true}\n',
    'team/.keep': '',
    'wrong/.layer-config': 'visibility: {publik: true}\n',
    'odd/.layer-config/file': '',
  });
  const layers = listLayerFolders(root);
  expect(layers.map(({ name }) => name)).toEqual(['team', 'base', 'odd', 'wrong']);
  expect(readLayerVisibility(`${root}/team`)).toBeUndefined();
  expect(readLayerVisibility(`${root}/base`)).toMatchObject({ public: true, organization: false });
  for (const name of ['wrong', 'odd']) {
    expect(() => readLayerVisibility(`${root}/${name}`)).toThrow(
      expect.objectContaining({ code: 'config.invalid' }),
    );
  }
});
