import { readdirSync } from 'node:fs';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { SeededRandom } from '../../../tools/seeded-random.ts';
import type { Invocation } from './commands.ts';
import { readContent, type Attack, type Place, type Planted } from './place.ts';

/** Version control folders on any file system, by a rule independent of catalog's. */
const METADATA = /^(?:\.(?:git|hg|svn|jj)[. ]*(?::.*)?|(?:git|hg|svn|jj)~\d+)$/i;
/** A git directory with another name, which every scenario plants. */
const STORE = 'store';

const CONFIG = '[core]\n\tbare = false\n';

export function intoVersionControl(
  random: SeededRandom,
  place: Place,
): { attacks: Attack[]; invocation: Invocation } {
  const draw = random.pick([targets, targets, records, records, commands]);
  return draw(random, place);
}

export function readMetadata(work: string): Map<string, string> {
  const found = new Map<string, string>();
  visit('', false);
  return found;

  function visit(folder: string, isMetadata: boolean): void {
    for (const entry of readdirSync(`${work}/${folder}`, { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const counts = isMetadata || METADATA.test(entry.name) || path === STORE;
      if (entry.isDirectory()) visit(path, counts);
      else if (counts) found.set(path, readContent(`${work}/${path}`));
    }
  }
}

function repository(folder: string): Planted[] {
  const files = { HEAD: 'ref: refs/heads/main\n', config: CONFIG, 'objects/x': '', 'refs/x': '' };
  return Object.entries(files).map(([path, text]) => ({
    kind: 'file',
    path: `${folder}/${path}`,
    text,
  }));
}

function clone(place: Place, config: string): Attack {
  const hook = `#!/bin/sh\n${place.payload('git-hook')}\n`;
  return {
    name: 'sync.yaml',
    planted: [
      { kind: 'file', path: '.catalog/sync.yaml', text: config },
      {
        kind: 'file',
        path: 'artifacts/hooks/ARTIFACT.md',
        text: '---\ntype: context\nname: hooks\nversion: 1.0.0\ndescription: Notes about hooks.\n---\n',
      },
      { kind: 'file', path: 'artifacts/hooks/post-checkout', text: hook, executable: true },
      {
        kind: 'file',
        path: '.claude/skills/x/SKILL.md',
        text: '---\nname: x\ndescription: Does x every day.\n---\nDo.\n',
      },
      ...['.git', 'sub/.git', STORE].flatMap(repository),
      { kind: 'file', path: '.hg/hgrc', text: CONFIG },
      { kind: 'link', path: 'way-in', to: `${place.work}/.hg` },
    ],
  };
}

function defaults(target: string): string {
  return `defaults: {registry: ./artifacts, harness: none, target: ${JSON.stringify(target)}}\n`;
}

function drawFolder(random: SeededRandom): string {
  const name = random.pick(['.git', '.hg', '.svn', '.jj', '.GIT', '.Hg', '.git.', 'GIT~1', STORE]);
  const before = random.pick(['', '', 'sub/', 'way-in/']);
  return `${before}${name}${random.pick(['', '/hooks', '/x/y'])}`;
}

function targets(random: SeededRandom, place: Place) {
  const folder = random.pick([drawFolder(random), drawFolder(random), 'way-in', 'way-in/x']);
  const registry = 'defaults: {registry: ./artifacts, harness: none}\n';
  const target = JSON.stringify(folder);
  const [config, words] = random.pick([
    [defaults(folder), 'sync'],
    [defaults(folder), 'update'],
    [`${registry}targets: [{id: t, harness: none, target: ${target}}]\n`, 'sync'],
    [`${registry}profiles: {p: {target: ${target}}}\n`, 'sync --profile p'],
    [
      `${registry}targets: [{id: m, kind: marketplace, harnesses: [claude-code], target: ${target}, plugins: [{name: p}]}]\n`,
      'sync --config',
    ],
    [registry, `sync --target ${folder}`],
  ] as const);
  return { attacks: [clone(place, config)], invocation: cli(words) };
}

function records(random: SeededRandom, place: Place) {
  const path = random.pick(['.git/config', 'sub/.git/config', '.hg/hgrc', '.git/HEAD']);
  const hash = bytesHash(path.endsWith('HEAD') ? 'ref: refs/heads/main\n' : CONFIG);
  const files = [{ path, hash }];
  const run = { run: 'x', files, deletes: [], shared: [], directories: [], aside: [] };
  const lock = `version: 1
targets:
  - {id: default, registry: ./artifacts, harness: none}
artifacts:
  - {id: hooks, version: 1.0.0, layer: base, content_hash: "${hash}", target: default}
files:
  - {path: ${path}, hash: "${hash}", target: default, id: hooks}
entries: []
shared: []
directories: []
toggles: {add: [], remove: []}
`;
  const [file, text, words] = random.pick([
    ['sync.lock', lock, 'sync --remove'],
    ['sync.lock', lock, 'sync --allow-removal'],
    ['state/written.lock', lock, 'sync --recover'],
    ['state/journal.json', JSON.stringify(run), 'sync --remove'],
    ['state/undo/journal.json', JSON.stringify(run), 'undo'],
  ] as const);
  const record: Planted = { kind: 'file', path: `.catalog/${file}`, text };
  return {
    attacks: [clone(place, defaults('.')), { name: `forged ${file}: ${path}`, planted: [record] }],
    invocation: cli(words),
  };
}

/** Draws a command with a path in version control, which a page of the clone told the user to run. */
function commands(random: SeededRandom, place: Place) {
  const folder = drawFolder(random);
  const load = { name: 'load_artifact', arguments: { id: 'x/rule', destination: folder } };
  return {
    attacks: [clone(place, defaults('.'))],
    invocation: random.pick<Invocation>([
      cli(`adopt --into ${folder}`),
      cli(`artifact new skill ops/check --registry ${folder}`),
      cli(`test --registry ./artifacts --junit ${folder}/report.xml`),
      { kind: 'mcp', calls: [load] },
    ]),
  };
}

function cli(words: string): Invocation {
  return { kind: 'cli', words: words.split(' ') };
}
