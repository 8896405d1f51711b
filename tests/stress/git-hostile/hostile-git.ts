import { RESPONSE_HANDLERS } from './hostile-host.ts';
import type { Stage, Trap } from './hostile-stage.ts';
import { DNS_RESULTS, MODES, NAMES, refs, repos, ROOTS, targets } from './hostile-strings.ts';
import { createRawRepository, type RawItem, type RawRepository } from './raw-repository.ts';

export type Trick = (stage: Stage) => Trap;

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: A rule to read.\n---\nBody.\n';

function repositoryOf(stage: Stage): { repository: RawRepository; repo: string } {
  const { folder, url, random } = stage;
  const repository = createRawRepository(`${folder}/r.git`, random.int(4) > 0);
  return { repository, repo: `${url}/r.git` };
}

function serve(stage: Stage, items: (repository: RawRepository) => RawItem[]): Trap {
  const { repository, repo } = repositoryOf(stage);
  const manifest = file(repository, 'ARTIFACT.md', RULE);
  const good = { mode: '40000', name: 'good', object: repository.tree([manifest]) };
  repository.ref(
    'refs/heads/main',
    repository.commit(repository.tree([...items(repository), good])),
  );
  return { layer: { repo } };
}

function file(
  repository: RawRepository,
  name: RawItem['name'],
  content: string | Uint8Array,
): RawItem {
  return { mode: '100644', name, object: repository.blob(content) };
}

function packageWith(repository: RawRepository, name: string, items: RawItem[]): RawItem {
  const manifest = file(repository, 'ARTIFACT.md', RULE);
  return { mode: '40000', name, object: repository.tree([manifest, ...items]) };
}

function chain(repository: RawRepository, depth: number, leaf: string, name: string): string {
  let object = leaf;
  for (let level = 0; level < depth; level += 1) {
    object = repository.tree([{ mode: '40000', name, object }]);
  }
  return object;
}

export const tricks: Readonly<Record<string, Trick>> = {
  oddName: (stage) =>
    serve(stage, (repository) => {
      const name = stage.random.pick(NAMES);
      const mode = stage.random.pick(['100644', '40000', '120000']);
      const inner = repository.tree([file(repository, 'ARTIFACT.md', RULE)]);
      const object = mode === '40000' ? inner : repository.blob(stage.outside);
      const item = { mode, name, object };
      return stage.random.int(2) === 0 ? [item] : [packageWith(repository, 'a', [item])];
    }),
  oddMode: (stage) =>
    serve(stage, (repository) => [
      packageWith(repository, 'a', [
        { mode: stage.random.pick(MODES), name: 'odd', object: repository.blob('x') },
      ]),
    ]),
  link: (stage) =>
    serve(stage, (repository) => {
      const target = stage.random.pick(targets(stage));
      const link = { mode: '120000', name: 'link', object: repository.blob(target) };
      const name = stage.random.pick(['link', 'SKILL.md', 'ARTIFACT.md', 'DOMAIN.md']);
      return stage.random.int(3) === 0
        ? [{ ...link, name }]
        : [packageWith(repository, 'a', [{ ...link, name: 'link' }])];
    }),
  linkRing: (stage) =>
    serve(stage, (repository) => {
      const links = Array.from({ length: 60 }, (_, index) => ({
        mode: '120000',
        name: `l${String(index).padStart(2, '0')}`,
        object: repository.blob(`l${String((index + 1) % 60).padStart(2, '0')}`),
      }));
      return [packageWith(repository, 'a', links)];
    }),
  submodule: (stage) =>
    serve(stage, (repository) => {
      const command = stage.random.pick([
        `ext::touch ${stage.canary_file}`,
        `-u touch ${stage.canary_file}`,
        `http://127.0.0.1:${stage.canary_port}/sub.git`,
        '../../..',
      ]);
      const path = stage.random.pick(['sub', '-x', '../../escape', '.git/hooks']);
      const modules = `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${command}\n\tupdate = !touch ${stage.canary_file}\n`;
      return [
        file(repository, '.gitattributes', '* filter=lfs diff=x merge=x\n'),
        file(repository, '.gitmodules', modules),
        file(repository, '.lfsconfig', `[lfs]\n\turl = http://127.0.0.1:${stage.canary_port}\n`),
        packageWith(repository, 'a', [{ mode: '160000', name: 'sub', object: 'a'.repeat(40) }]),
        { mode: '160000', name: 'sub', object: 'a'.repeat(40) },
      ];
    }),
  unsorted: (stage) => {
    const { repository, repo } = repositoryOf(stage);
    const manifest = file(repository, 'ARTIFACT.md', RULE);
    const a = { mode: '40000', name: 'a', object: repository.tree([manifest]) };
    const tree = repository.tree([{ ...a, name: 'z' }, a, { ...a, name: 'b' }], 'as given');
    repository.ref('refs/heads/main', repository.commit(tree));
    return { layer: { repo } };
  },
  duplicates: (stage) =>
    serve(stage, (repository) => [
      packageWith(repository, 'a', [file(repository, 'x', '1'), file(repository, 'x', '2')]),
      packageWith(repository, 'a', [file(repository, 'X', '1'), file(repository, 'x', '2')]),
      packageWith(repository, 'A', []),
    ]),
  treeBomb: (stage) =>
    serve(stage, (repository) => {
      let object = repository.tree([file(repository, 'ARTIFACT.md', RULE)]);
      for (let level = 0; level < 10; level += 1) {
        const names = Array.from({ length: 10 }, (_, index) => ({
          mode: '40000',
          name: `d${index}`,
          object,
        }));
        object = repository.tree(names);
      }
      return [{ mode: '40000', name: 'bomb', object }];
    }),
  hugeTree: (stage) =>
    serve(stage, (repository) => {
      const object = repository.blob('x');
      const items = Array.from({ length: 30_000 }, (_, index) => ({
        mode: '100644',
        name: `f${String(index).padStart(6, '0')}`,
        object,
      }));
      return [packageWith(repository, 'a', items)];
    }),
  deepTree: (stage) =>
    serve(stage, (repository) => {
      const leaf = repository.tree([file(repository, 'ARTIFACT.md', RULE)]);
      const depth = 200 + stage.random.int(1500);
      const name = 'd'.repeat(1 + stage.random.int(30));
      return [{ mode: '40000', name: 'deep', object: chain(repository, depth, leaf, name) }];
    }),
  blobBomb: (stage) =>
    serve(stage, (repository) => {
      const bytes = Buffer.alloc(stage.random.pick([1, 20, 66]) * 1024 * 1024);
      const many = Array.from({ length: 12 }, (_, index) =>
        file(repository, `zeros${index}`, bytes),
      );
      return [packageWith(repository, 'a', many)];
    }),
  missingObject: (stage) =>
    serve(stage, (repository) => {
      const object = 'c'.repeat(40);
      return stage.random.int(2) === 0
        ? [{ mode: '40000', name: 'a', object }]
        : [packageWith(repository, 'a', [{ mode: '100644', name: 'x', object }])];
    }),
  wrongHash: (stage) =>
    serve(stage, (repository) => {
      const object = repository.object(
        'blob',
        Buffer.from('not what it is called'),
        'd'.repeat(40),
      );
      return [packageWith(repository, 'a', [{ mode: '100644', name: 'x', object }])];
    }),
  wrongType: (stage) =>
    serve(stage, (repository) => [
      { mode: '40000', name: 'a', object: repository.blob('no folder') },
    ]),
  garbledTree: (stage) =>
    serve(stage, (repository) => {
      const bytes = Buffer.from(Array.from({ length: 60 }, () => stage.random.int(256)));
      return [{ mode: '40000', name: 'a', object: repository.object('tree', bytes) }];
    }),
  garbledCommit: (stage) => {
    const { repository, repo } = repositoryOf(stage);
    const tree = repository.tree([file(repository, 'x', '1')]);
    const header = stage.random.pick([
      `parent ${'e'.repeat(40)}\n`,
      'parent ../../x\n',
      `tree ${'e'.repeat(40)}\n`,
      'gpgsig -----BEGIN\n',
      'author \0 <a> 99999999999999999999 +9999\n',
    ]);
    repository.ref('refs/heads/main', repository.commit(tree, header));
    return { layer: { repo } };
  },
  commitIsNone: (stage) => {
    const { repository, repo } = repositoryOf(stage);
    const id = stage.random.pick([repository.blob('x'), repository.tree([]), 'f'.repeat(40)]);
    repository.ref('refs/heads/main', id);
    return { layer: { repo } };
  },
  hostileRef: (stage) => {
    const { layer, ...trap } = serve(stage, () => []);
    return { ...trap, layer: { ...layer, ref: stage.random.pick(refs(stage)) } };
  },
  hostileRoot: (stage) => {
    const { layer, ...trap } = serve(stage, () => []);
    return { ...trap, layer: { ...layer, root: stage.random.pick(ROOTS) } };
  },
  hostileRepo: (stage) => ({ layer: { repo: stage.random.pick(repos(stage)) } }),
  hostileName: (stage) => {
    const scheme = stage.random.pick(['https://', 'http://', 'ssh://git@']);
    const repo = `${scheme}git.example:${stage.canary_port}/a.git`;
    return { layer: { repo }, addresses: { 'git.example': stage.random.pick(DNS_RESULTS) } };
  },
  hostileHost: (stage) => {
    const answer = stage.random.pick(RESPONSE_HANDLERS);
    stage.answerWith((request, response) => answer(stage, response, request));
    return { layer: { repo: `${stage.hostileUrl}/a.git` } };
  },
  borrowedRights: (stage) => {
    const { layer, ...trap } = serve(stage, () => []);
    const repo = (layer.repo ?? '').replace('/open/', '/private/');
    return { ...trap, layer: { ...layer, repo, user_defined: true, owner: 'mallory' } };
  },
};
