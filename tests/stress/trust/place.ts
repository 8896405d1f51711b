import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { bytesHash } from '@catalog/core/artifact/content-hash';

/** Where a history is played: a home, a clone in it, and a folder that belongs to neither. */
export interface Place {
  root: string;
  /** The clone. */
  work: string;
  home: string;
  outside: string;
  /** URL of the registry that only the clone names. */
  hostile: string;
  /** A shell command that leaves a trace outside the workspace if it ever runs. */
  payload: (name: string) => string;
}

/** A file or a link that came with a clone. */
export type Planted =
  | { kind: 'file'; path: string; text: string; executable?: boolean }
  | { kind: 'link'; path: string; to: string };

/** One hostile part of a workspace, which can be left out when a history is shrunk. */
export interface Attack {
  name: string;
  planted: readonly Planted[];
}

/** Secrets of the user; each may reach the origin it belongs to and no other. */
export const SECRETS = {
  environment: 'secret-from-the-environment',
  stored: 'secret-from-the-sign-in',
} as const;

/** In every payload. */
export const MARK = 'trace-of-a-payload';
/** In the payloads of registries: a folder of the clone may deliver what runs, they may not. */
export const SERVED_MARK = `${MARK}-served`;

/** Files outside the clone, by path. */
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

/** A file of the user in the workspace, which no part of the clone is. */
export const NOTES = { path: 'notes.txt', text: 'Call Anna.\n' };

/** What the user did before the history starts. */
export interface Preparation {
  /** The user's own configuration; undefined if there is none. */
  user: string | undefined;
  /** Whether the user trusts the configuration of the clone. */
  trusted: boolean;
}

/** Makes the machine of a user who just cloned something. */
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
      // A later part of a clone does not replace an earlier one, and nothing is planted behind a link.
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

/** catalog's own state in the home of a user. Its configuration there is the user's. */
const OWN_STATE = /^home\/(?:\.catalog\/(?!sync\.yaml$)|\.cache(?:\/catalog)?$)/;

/** Everything outside the workspace and catalog's own state, by path, and the user's notes in it. */
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

/** Files of the workspace that hold a payload of a registry, without those from before. */
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
/** Copilot's servers: an adapter decides on this path, not the clone. */
const OF_AN_ADAPTER = '.vscode/mcp.json';

/** Files of the workspace that other programs run, without catalog's own. */
export function listRunByOthers(work: string): string[] {
  return readdirSync(work, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath.slice(work.length + 1)}/${entry.name}`)
    .filter((path) => RUN_BY_OTHERS.test(path) && !path.includes('.catalog/'))
    .filter((path) => !path.endsWith(OF_AN_ADAPTER));
}

/** The mode and content of a file, or where a link leads. */
export function readContent(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  return `${stats.mode.toString(8)} ${stats.isFile() ? readFileSync(path, 'latin1') : ''}`;
}
