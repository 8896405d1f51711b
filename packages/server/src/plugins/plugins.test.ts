import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorEnvelope } from '@catalog/contract/errors/envelope';
import { PluginError } from '@catalog/contract/errors/plugin-error';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { Artifact } from '@catalog/core/artifact/types';
import type { LayerSource } from '@catalog/core/ports/layer-source';
import { artifactOf } from '@catalog/testkit/authored-package';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { guardSource, toArtifactChecks, toTypeProviders } from './plugin-checks.ts';
import { loadPlugins, type Plugins } from './load-plugins.ts';

function load(...modules: readonly string[]): Promise<Plugins> {
  const folder = temporaryFolder();
  const paths = modules.map((text, index) => {
    writeTree(folder, { [`p${index}.mjs`]: text });
    return join(folder, `p${index}.mjs`);
  });
  return loadPlugins(paths);
}

const CODE = `{'acme.no_owner': {summary: 'Nobody owns it.', suggested_action: 'Add an owner.'}}`;

function artifact(frontmatter: string): Artifact {
  const text = `---\nversion: 1.0.0\ndescription: A thing to look at.\n${frontmatter}\n---\nBody.\n`;
  return artifactOf('data/set', { 'ARTIFACT.md': text, 'x.csv': 'a,b\n' });
}

describe('loadPlugins', () => {
  test('adds types, codes and checks', async () => {
    const { plugins, types, codes } = await load(
      `export default {name: 'acme', artifact_types: {dataset: {}}, error_codes: ${CODE}};`,
      `export default {name: 'other', artifact_types: {model: {}}};`,
    );
    expect(plugins.map(({ name }) => name)).toEqual(['acme', 'other']);
    expect([...types.keys()]).toEqual(['dataset', 'model']);
    expect(codes.get('acme.no_owner')).toEqual({
      code: 'acme.no_owner',
      suggested_action: 'Add an owner.',
    });
  });

  test.each([
    ['syntax', 'export default {', /cannot be loaded/],
    ['no default export', 'export const x = 1;', /default export/],
    ['no name', 'export default {};', /export\.name/],
    ['a name of two words', `export default {name: 'a b'};`, /one lowercase word/],
    ['an unknown member', `export default {name: 'a', artifact_type: {}};`, /artifact_type/],
    ['a type of the registry', `export default {name: 'a', artifact_types: {skill: {}}};`, /skill/],
    ['a type that is no word', `export default {name: 'a', artifact_types: {'A B': {}}};`, /word/],
    ['a check that is none', `export default {name: 'a', checkArtifact: 1};`, /function/],
    [
      'a code of the registry',
      `export default {name: 'a', error_codes: {'ingest.x': {summary: 's', suggested_action: 'a'}}};`,
      /ingest\.x is already registered/,
    ],
    [
      'a code without a namespace',
      `export default {name: 'a', error_codes: {x: {summary: 's', suggested_action: 'a'}}};`,
      /namespace/,
    ],
  ])('rejects a module with %s', async (_, text, message) => {
    await expect(load(text)).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringMatching(message),
      details: { key: 'registry.plugins', path: expect.stringMatching(/p0\.mjs$/) },
    });
  });

  test('rejects a missing module', async () => {
    await expect(loadPlugins(['/nowhere/p.mjs'])).rejects.toMatchObject({ code: 'config.invalid' });
  });

  test.each([
    [`{name: 'a'}`, `{name: 'a'}`, /named a/],
    [
      `{name: 'a', artifact_types: {t: {}}}`,
      `{name: 'b', artifact_types: {t: {}}}`,
      /t is already defined by a/,
    ],
    [
      `{name: 'a', error_codes: ${CODE}}`,
      `{name: 'b', error_codes: ${CODE}}`,
      /already registered/,
    ],
  ])('rejects duplicate names of %s and %s', async (one, two, message) => {
    await expect(load(`export default ${one};`, `export default ${two};`)).rejects.toThrow(message);
  });
});

describe('plugin type', () => {
  test('reports findings for its artifacts', async () => {
    const plugins = await load(`export default {name: 'acme', artifact_types: {dataset: {
      validate: ({frontmatter, files}) => files.length > 0 && frontmatter.rows === undefined
        ? [{severity: 'error', message: 'rows is missing', fix: 'Count them.', path: ['rows']}] : [],
    }}};`);
    const provider = toTypeProviders(plugins).get('dataset');
    expect(provider?.validate(artifact('type: dataset'))).toEqual([
      { severity: 'error', message: 'rows is missing', fix: 'Count them.', path: ['rows'] },
    ]);
    expect(provider?.validate(artifact('type: dataset\nrows: 3'))).toEqual([]);
  });

  test('rejects all artifacts if its check throws', async () => {
    const plugins = await load(`export default {name: 'acme', artifact_types: {dataset: {
      validate() { throw new Error('boom'); } }}};`);
    expect(toTypeProviders(plugins).get('dataset')?.validate(artifact('type: dataset'))).toEqual([
      expect.objectContaining({ severity: 'error', message: expect.stringContaining('boom') }),
    ]);
  });
});

describe('plugin check', () => {
  const body = (check: string): string =>
    `export default {name: 'acme', error_codes: ${CODE}, ${check}};`;

  test('rejects an artifact with its own code and suggested action', async () => {
    const plugins = await load(
      body(`checkArtifact: (a) => a.frontmatter.owner ? undefined
        : {code: 'acme.no_owner', message: a.id + ' has no owner'}`),
    );
    const [check] = toArtifactChecks(plugins);
    expect(check?.(artifact('type: context'))).toEqual({
      code: 'acme.no_owner',
      message: 'data/set has no owner',
      fix: 'Add an owner.',
    });
    expect(check?.(artifact('type: context\nowner: ann'))).toBeUndefined();
  });

  test.each([
    ['fails', `checkArtifact() { throw new Error('boom'); }`, /boom/],
    ['has an unregistered code', `checkArtifact: () => ({code: 'acme.x', message: ''})`, /acme\.x/],
    ['answers later', `checkArtifact: async () => undefined`, /code undefined/],
  ])('that %s rejects all artifacts', async (_, check, message) => {
    const [first] = toArtifactChecks(await load(body(check)));
    expect(first?.(artifact('type: context'))).toMatchObject({
      code: 'ingest.invalid_artifact',
      message: expect.stringMatching(message),
    });
  });

  test('cannot change the served artifact', async () => {
    const plugins = await load(
      body(`checkArtifact: (a) => { a.frontmatter.tags.push('x'); a.body = ''; }`),
    );
    const looked = artifact('type: context\ntags: [a]');
    toArtifactChecks(plugins)[0]?.(looked);
    expect(looked.manifest?.values['tags']).toEqual(['a']);
    expect(looked.body).toBe('Body.\n');
  });

  test('of a layer fails the ingest with the common error envelope', async () => {
    const plugins = await load(
      body(`checkLayer: ({repo}) => repo.startsWith('https://git.example.com/') ? undefined
        : {code: 'acme.no_owner', message: 'not ours', fix: 'Move it.'}`),
    );
    const source: LayerSource = {
      read: () => Promise.reject(new Error('was read')),
      probe: () => Promise.reject(new Error('was probed')),
    };
    const guarded = guardSource(source, plugins);
    const read = async (repo: string): Promise<unknown> =>
      guarded.read(1, { ...LAYER, repo }, { full: true, retry: [] }, AbortSignal.timeout(1000));
    await expect(read('https://git.example.com/a')).rejects.toThrow('was read');
    const refused: unknown = await read('https://elsewhere.example.com/a').catch(
      (error: unknown) => error,
    );
    if (!(refused instanceof PluginError)) throw refused;
    expect(errorEnvelope.parse(refused.toEnvelope())).toEqual({
      code: 'acme.no_owner',
      message: 'not ours',
      details: {},
      retryable: false,
      suggested_action: 'Move it.',
    });
  });
});

const LAYER: LayerRecord = {
  number: 1,
  id: 'team',
  source_type: 'git',
  repo: '',
  ref: '',
  root: '',
  local_path: '',
  order: 10,
  user_defined: false,
  owner: '',
  public: false,
  organization: true,
  groups: null,
  users: null,
  git_provider: '',
  force_push_policy: '',
  created_at: '2026-01-01T00:00:00Z',
  deleted_at: null,
  last_ingested_at: null,
  last_ingested_ref: null,
  webhook_secret: 'no plugin sees it',
  webhook_key: '',
  source_state: null,
  frozen_since: null,
  revision: 1,
};
