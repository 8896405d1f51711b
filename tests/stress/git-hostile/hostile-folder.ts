import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SeededRandom } from '../../../tools/seeded-random.ts';

/** Content of every file outside of the registry; its presence in the output proves an escape. */
export const OUTSIDE_MARK = 'outside-of-the-registry';

/** Names with a special meaning: for a shell, Windows, a terminal, or a path. */
const NAMES = [
  '..%2f..%2fescape',
  '..\\..\\escape',
  '....',
  '.. ',
  ' ..',
  'a:b',
  'CON',
  'aux.md',
  'nul.',
  'trailing ',
  'line\nbreak',
  'bell\u0007',
  'rtl\u202Egpj.sh',
  'zero\u200Bwidth',
  '__proto__',
  'constructor',
  '-rf',
  '~',
  '$HOME',
  '`id`',
  'x'.repeat(255),
  '\u00e9',
  'e\u0301',
  'ß',
  'SS',
];

type Trick = (place: { registry: string; outside: string; random: SeededRandom }) => void;

const tricks: readonly Trick[] = [
  function linkToFile({ registry, outside }) {
    writePackage(registry, 'a/linked');
    symlinkSync(join(outside, 'secret.md'), join(registry, 'a/linked/resource.md'));
  },
  function linkedManifest({ registry, outside }) {
    mkdirSync(join(registry, 'a/manifest'), { recursive: true });
    symlinkSync(join(outside, 'secret.md'), join(registry, 'a/manifest/ARTIFACT.md'));
  },
  function linkToFolder({ registry, outside }) {
    mkdirSync(join(registry, 'b'), { recursive: true });
    symlinkSync(outside, join(registry, 'b/folder'));
  },
  function linkUpwards({ registry }) {
    writePackage(registry, 'c/up');
    symlinkSync('../../../../..', join(registry, 'c/up/scripts'));
  },
  function linkRing({ registry }) {
    mkdirSync(join(registry, 'd'), { recursive: true });
    symlinkSync('second', join(registry, 'd/first'));
    symlinkSync('first', join(registry, 'd/second'));
    symlinkSync('.', join(registry, 'd/self'));
  },
  function danglingLink({ registry }) {
    writePackage(registry, 'e/dangling');
    symlinkSync('nowhere', join(registry, 'e/dangling/resource.md'));
  },
  function hardLink({ registry, outside }) {
    writePackage(registry, 'f/hard');
    linkSync(join(outside, 'secret.md'), join(registry, 'f/hard/resource.md'));
  },
  function fifo({ registry }) {
    writePackage(registry, 'g/fifo');
    spawnSync('mkfifo', [join(registry, 'g/fifo/pipe'), join(registry, 'g/ARTIFACT.md')]);
  },
  function device({ registry }) {
    writePackage(registry, 'h/device');
    symlinkSync('/dev/zero', join(registry, 'h/device/endless'));
    symlinkSync('/dev/tty', join(registry, 'h/device/terminal'));
  },
  function oddName({ registry, random }) {
    const name = random.pick(NAMES);
    writePackage(registry, `i/${name}`);
    writePackage(registry, 'i/holder');
    writeFileSync(join(registry, 'i/holder', name), 'odd\n');
  },
  function caseCollision({ registry }) {
    writePackage(registry, 'j/Same');
    writePackage(registry, 'j/same');
    writeFileSync(join(registry, 'j/same/artifact.md'), '---\ntype: rule\n---\n');
  },
  function deepPath({ registry, random }) {
    const segment = 'deep'.repeat(10 + random.int(20));
    writePackage(registry, Array(10).fill(segment).join('/'));
  },
  function folderForManifest({ registry }) {
    mkdirSync(join(registry, 'k/ARTIFACT.md/SKILL.md'), { recursive: true });
  },
  function traversalInside({ registry, random }) {
    const path = random.pick([
      '../../secret.md',
      '/etc/passwd',
      '..\\secret.md',
      'file:///etc/passwd',
    ]);
    const keys = `hook_event: stop\nhook_action: sh ${path}\nextends: ${path}\nname: ${path}\n`;
    write(
      registry,
      'l/traversal/ARTIFACT.md',
      `---\ntype: hook\nversion: 1.0.0\n${keys}---\n[x](${path})\n`,
    );
  },
  function severalLayers({ registry, random }) {
    const config = random.pick([
      'multi_layer: true\nlayer_order: [../../outside]\n',
      'multi_layer: true\nlayer_order: [/etc, __proto__]\n',
      'multi_layer: maybe\n',
      '? ? ? ?\n',
      '&a [*a]\n',
    ]);
    write(registry, '.registry-config', config);
  },
];

/** Places secret files next to the registry. Returns the registry and the names of the tricks. */
export function writeHostileFolder(
  folder: string,
  random: SeededRandom,
): { registry: string; tricks: string[] } {
  const registry = join(folder, 'registry');
  const outside = join(folder, 'outside');
  write(outside, 'secret.md', `---\ntype: context\nversion: 1.0.0\n---\n${OUTSIDE_MARK}\n`);
  writePackage(registry, 'good/one');
  const chosen = random.shuffle(tricks).slice(0, 1 + random.int(4));
  for (const trick of chosen) trick({ registry, outside, random });
  return { registry, tricks: chosen.map((trick) => trick.name) };
}

function writePackage(registry: string, id: string): void {
  write(
    registry,
    `${id}/ARTIFACT.md`,
    '---\ntype: context\nversion: 1.0.0\ndescription: A plain one here.\n---\n',
  );
}

function write(root: string, path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
