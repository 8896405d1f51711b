import type { NamePools, SecretRegistry } from './fixture.ts';

export interface Question {
  name: string;
  of: 'domains' | 'objects' | 'layers' | 'deleted_layers';
  form(name: string): { method: string; path: string; body?: unknown };
  /**
   * True if the response depends on words, so that it is compared with the other registry and not with another name.
   */
  searches?: boolean;
}

function read(name: string, path: (name: string) => string, method = 'GET'): Question {
  return { name, of: 'domains', form: (requestedName) => ({ method, path: path(requestedName) }) };
}

function search(name: string, path: (name: string) => string): Question {
  return { ...read(name, path), searches: true };
}

function write(
  name: string,
  of: Question['of'],
  method: string,
  path: (name: string) => string,
  body?: unknown,
): Question {
  return { name, of, form: (requestedName) => ({ method, path: path(requestedName), body }) };
}

export const questions: readonly Question[] = [
  read('load_artifact', (name) => `/v1/load_artifact?id=${name}/tool`),
  read('load_artifact HEAD', (name) => `/v1/load_artifact?id=${name}/tool`, 'HEAD'),
  read('load_artifact pinned', (name) => `/v1/load_artifact?id=${name}/tool&version=1.0.0`),
  {
    name: 'batch_load',
    of: 'domains',
    form: (name) => ({
      method: 'POST',
      path: '/v1/artifacts:batchLoad',
      body: { ids: [`${name}/tool`] },
    }),
  },
  read('artifact_markdown', (name) => `/v1/artifact.md?id=${name}/tool`),
  read('list_versions', (name) => `/v1/artifacts/versions?id=${name}/tool`),
  read('dependents', (name) => `/v1/dependents?id=${name}/tool`),
  read('load_domain', (name) => `/v1/load_domain?path=${name}`),
  read('domain_analyze', (name) => `/v1/domain/analyze?path=${name}`),
  search('search_artifacts', (name) => `/v1/search_artifacts?query=${name}`),
  search('search_artifacts misspelt', (name) => `/v1/search_artifacts?query=${swapLetters(name)}`),
  search('search_artifacts begun', (name) => `/v1/search_artifacts?query=${name.slice(0, 6)}`),
  read('search_artifacts scope', (name) => `/v1/search_artifacts?scope=${name}`),
  read('search_artifacts in scope', (name) => `/v1/search_artifacts?query=tool&scope=${name}`),
  search('search_domains', (name) => `/v1/search_domains?query=${name}`),
  search('search_domains misspelt', (name) => `/v1/search_domains?query=${swapLetters(name)}`),
  read('search_domains in scope', (name) => `/v1/search_domains?query=tool&scope=${name}`),
  read('catalog', (name) => `/v1/catalog?scope=${name}`),
  { name: 'objects', of: 'objects', form: (key) => ({ method: 'GET', path: `/objects/${key}` }) },
  {
    name: 'objects HEAD',
    of: 'objects',
    form: (key) => ({ method: 'HEAD', path: `/objects/${key}` }),
  },
  write('list_ingests', 'layers', 'GET', (id) => `/v1/layers/ingests?id=${id}`),
  write('update_layer', 'layers', 'POST', (id) => `/v1/layers/update?id=${id}`, { ref: 'other' }),
  write('unregister_layer', 'layers', 'DELETE', (id) => `/v1/layers?id=${id}`),
  write('restore_layer', 'deleted_layers', 'POST', (id) => `/v1/layers/restore?id=${id}`),
  write('reingest_layer', 'layers', 'POST', (id) => `/v1/layers/reingest?id=${id}&wait=false`),
  {
    name: 'reorder_layers',
    of: 'layers',
    form: (id) => ({ method: 'POST', path: '/v1/layers/reorder', body: { order: [id] } }),
  },
];

function swapLetters(name: string): string {
  return `${name.slice(0, 3)}${name[4]}${name[3]}${name.slice(5)}`;
}

export function namesIn(registry: SecretRegistry, { of }: Question): NamePools {
  return registry[of];
}
