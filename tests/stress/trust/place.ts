import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { bytesHash } from '@catalog/core/artifact/content-hash';

export interface Place {
  root: string;
  work: string;
  home: string;
  outside: string;
  hostile: string;
  /** Returns a shell command that leaves a trace outside the workspace if it is executed. */
  payload: (name: string) => string;
}

export type Planted =
  | { kind: 'file'; path: string; text: string; executable?: boolean }
  | { kind: 'link'; path: string; to: string };

/** One hostile part of a workspace, which can be removed when a history is shrunk. */
export interface Attack {
  name: string;
  planted: readonly Planted[];
}

/** Secrets of the user; each may only be sent to its own origin. */
export const SECRETS = {
  environment: 'secret-from-the-environment',
  stored: 'secret-from-the-sign-in',
} as const;

export const MARK = 'trace-of-a-payload';
/** For registries, which may not install executable content; a folder of the clone may. */
export const SERVED_MARK = `${MARK}-served`;

export const USER_FILES: Readonly<Record<string, string>> = {
  'home/.bashrc': 'export PS1=x\n',
  'home/.ssh/id': 'key\n',
  'home/.claude/settings.json': '{}\n',
  'home/.claude.json': '{}\n',
  'home/.config/app/x': 'x\n',
  'home/.cursor/mcp.json': '{}\n',
  'home/own-artifacts/a/b/SKILL.md': '---\nname: b\ndescription: The own one.\n---\nDo.\n',
  'elsewhere/a/c/SKILL.md': '---\nname: c\ndescription: Another one.\n---\nDo.\n',
  'outside/x': 'x\n',
};

export const NOTES = { path: 'notes.txt', text: 'Call Anna.\n' };

export interface Preparation {
  user: string | undefined;
  trusted: boolean;
}

/** Creates the home folder of a user who has just cloned a repository. */
export function makePlace(
  place: Place,
  attacks: readonly Attack[],
  real: string,
  { user, trusted }: Preparation,
): void {
  rmSync(place.root, { recursive: true, force: true });
  for (const path of ['work', 'tmp', 'traces'])
    mkdirSync(`${place.root}/${path}`, { recursive: true });
  for (const [path, text] of Object.entries(USER_FILES)) write(`${place.root}/${path}`, text);
  write(
    `${place.home}/.catalog/credentials/${encodeURIComponent(real)}.json`,
    JSON.stringify({
      registry: real,
      store: 'file',
      access_token: SECRETS.stored,
      refresh_token: SECRETS.stored,
      token_endpoint: `${real}/token`,
      client_id: 'catalog-cli',
    }),
  );
  write(`${place.work}/${NOTES.path}`, NOTES.text);
  for (const { planted } of attacks) {
    for (const one of planted) {
      const path = `${place.work}/${one.path}`;
      // If two attacks write the same path, the first one stays. Nothing is written through a link.
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
      if (one.kind === 'link') {
        mkdirSync(dirname(path), { recursive: true });
        symlinkSync(one.to, path);
      } else if (!leadsOut(place.work, one.path)) {
        write(path, one.text);
        if (one.executable === true) chmodSync(path, 0o755);
      }
    }
  }
  if (user !== undefined) write(`${place.home}/.catalog/sync.yaml`, user);
  if (trusted) trustConfiguration(place);
}

function trustConfiguration({ work, home }: Place): void {
  const path = `${work}/.catalog/sync.yaml`;
  if (!existsSync(path)) return;
  const files = { [path]: bytesHash(readFileSync(path)) };
  write(`${home}/.catalog/trust.json`, JSON.stringify({ version: 1, files }));
}

function leadsOut(work: string, path: string): boolean {
  const parts = path.split('/');
  return parts.some((_, index) => {
    const part = `${work}/${parts.slice(0, index + 1).join('/')}`;
    return lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Catalog's own state in the home of a user. The configuration in the same folder is the user's. */
const OWN_STATE = /^home\/(?:\.catalog\/(?!sync\.yaml$)|\.cache(?:\/catalog)?$)/;

/** Returns all files outside the workspace and catalog's own state, plus the user's notes. */
export function readSurroundings(root: string): Map<string, string> {
  const found = new Map<string, string>();
  visit('');
  const notes = `work/${NOTES.path}`;
  if (existsSync(`${root}/${notes}`)) found.set(notes, readContent(`${root}/${notes}`));
  return found;

  function visit(folder: string): void {
    for (const entry of readdirSync(`${root}/${folder}`, { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (path === 'work' || path === 'tmp' || OWN_STATE.test(path)) continue;
      if (entry.isDirectory()) {
        found.set(`${path}/`, '');
        visit(path);
      } else found.set(path, readContent(`${root}/${path}`));
    }
  }
}

export function listDelivered(work: string, before: ReadonlySet<string>): string[] {
  return listMarked(work).filter((path) => !before.has(path));
}

export function listMarked(work: string): string[] {
  const marked: string[] = [];
  visit('');
  return marked;

  function visit(folder: string): void {
    for (const entry of readdirSync(`${work}/${folder}`, { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (path === '.catalog' || path === 'node_modules') continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile() && readContent(`${work}/${path}`).includes(SERVED_MARK))
        marked.push(path);
    }
  }
}

const RUN_BY_OTHERS =
  /^(?:.*\/)?(?:\.husky|\.githooks|\.github\/workflows|\.vscode|\.devcontainer|node_modules)\//i;
/** File with Copilot's servers: an adapter determines this path, not the clone. */
const OF_AN_ADAPTER = '.vscode/mcp.json';

/** Lists files of the workspace that other programs execute, without catalog's own. */
export function listRunByOthers(work: string): string[] {
  return readdirSync(work, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath.slice(work.length + 1)}/${entry.name}`)
    .filter((path) => RUN_BY_OTHERS.test(path) && !path.includes('.catalog/'))
    .filter((path) => !path.endsWith(OF_AN_ADAPTER));
}

export function readContent(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  return `${stats.mode.toString(8)} ${stats.isFile() ? readFileSync(path, 'latin1') : ''}`;
}
