import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { registeredLayer } from '@catalog/contract/records/layer';
import type { GitServer } from '@catalog/testkit/git-server';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { sendAndExpect } from './client.ts';
import { emptyHistory } from './history.ts';
import { createEditions, writeArtifact } from './source.ts';
import { GIT_LAYER, LOCAL_LAYER, type WorkloadState } from './workload.ts';

export async function prepareLayers(
  url: string,
  seed: string,
  folder: string,
  git: GitServer,
): Promise<WorkloadState> {
  const editions = createEditions();
  const source = join(folder, 'source');
  mkdirSync(`${source}.empty`, { recursive: true });
  const first = editions.next('local');
  writeArtifact(source, first.path, first.files);
  const repository = git.addRepository('repository');
  repository.commit({ 'README.md': 'Artifacts.\n' });
  const register = (json: unknown) =>
    sendAndExpect(`${url}/v1/layers`, [201, registeredLayer], { method: 'POST', json });
  await register({ id: LOCAL_LAYER, source_type: 'local', local_path: source });
  const { webhook_url = '', webhook_secret = '' } = await register({
    id: GIT_LAYER,
    source_type: 'git',
    repo: repository.url,
    ref: 'main',
    git_provider: 'git-host-a',
  });
  const { pathname, search } = new URL(webhook_url);
  return {
    random: seededRandom(seed),
    history: emptyHistory(),
    editions,
    folder: source,
    repository,
    webhook: { path: `${pathname}${search}`, secret: webhook_secret },
    unexpected: [],
  };
}
