import { describe, expect, test } from 'vitest';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { statFolderRegistry, readFolderRegistry } from './read-folder-registry.ts';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: A rule to read.\n---\nBody.\n';

describe('readFolderRegistry', () => {
  test('returns one layer named after the folder', () => {
    const root = temporaryFolder();
    writeTree(root, { 'team/ops/ARTIFACT.md': RULE });
    const { layers } = readFolderRegistry(`${root}/team`);
    expect(layers.map((layer) => [layer.layer, layer.packages.map((pkg) => pkg.id)])).toEqual([
      ['team', ['ops']],
    ]);
  });

  test('with multi_layer returns a layer per folder: the listed ones first, then by name', () => {
    const root = temporaryFolder();
    writeTree(root, {
      '.registry-config': 'multi_layer: true\nlayer_order: [zeta, alpha]\n',
      'alpha/x/ARTIFACT.md': RULE,
      'beta/x/ARTIFACT.md': RULE,
      'zeta/x/ARTIFACT.md': RULE,
      '.git/x/ARTIFACT.md': RULE,
    });
    const { layers, seen } = readFolderRegistry(root);
    expect(layers.map((layer) => layer.layer)).toEqual(['zeta', 'alpha', 'beta']);
    expect(statFolderRegistry(root)).toEqual(
      seen.map(({ path, fingerprint }) => ({ path, fingerprint })),
    );
  });

  test.each([
    ['an absent folder', {}, 'missing', 'config.no_registry'],
    ['a file', { file: 'x' }, 'file', 'config.no_registry'],
    [
      'a manifest beside the layers',
      { 'r/.registry-config': 'multi_layer: true\n', 'r/ARTIFACT.md': RULE },
      'r',
      'config.layer_path_ambiguous',
    ],
    [
      'a layer that is listed and not there',
      { 'r/.registry-config': 'multi_layer: true\nlayer_order: [gone]\n' },
      'r',
      'config.invalid',
    ],
    [
      'an artifact in the place of a registry',
      { 'r/ARTIFACT.md': RULE },
      'r',
      'config.no_registry',
    ],
    ['an unknown key', { 'r/.registry-config': 'multilayer: true\n' }, 'r', 'config.invalid'],
  ])('rejects %s', (_name, files, path, code) => {
    const root = temporaryFolder();
    writeTree(root, files);
    expect(() => readFolderRegistry(`${root}/${path}`)).toThrow(expect.objectContaining({ code }));
  });
});
