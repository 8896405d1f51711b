import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Served {
  edition: number;
  /** Patch number of the version. */
  version: number;
  broken: boolean;
}

/** Artifacts by id; the last part of an id is the name and decides the type. */
export type Registry = ReadonlyMap<string, Served>;

type Files = Record<string, string>;

function manifest(type: string, version: number, more = ''): string {
  return `---\ntype: ${type}\nversion: 1.0.${version}\ndescription: Something of use to everyone.\n${more}---\n`;
}

function skillFiles(name: string, { edition, version }: Served): Files {
  return {
    'ARTIFACT.md': `---\ntype: skill\nversion: 1.0.${version}\n---\n`,
    'SKILL.md': `---\nname: ${name}\ndescription: Do what ${name} is for.\n---\nDo it ${edition}.\n`,
  };
}

type Author = (id: string, served: Served) => Files;

const AUTHORS: Readonly<Record<string, Author>> = {
  review: (_id, served) => skillFiles('review', served),
  release: (_id, served) => ({
    ...skillFiles('release', served),
    // The second edition replaces a file with a folder of the same name.
    [served.edition % 2 === 0 ? 'scripts/run' : 'scripts/run/all.sh']: `echo ${served.edition}\n`,
  }),
  triage: (_id, served) => ({
    ...skillFiles('triage', served),
    ...(served.edition % 2 === 0 ? { 'references/more.md': 'More.\n' } : {}),
  }),
  helper: (_id, { edition, version }) => ({
    'ARTIFACT.md': `${manifest('agent', version)}Help ${edition}.\n`,
  }),
  ship: (_id, { edition, version }) => ({
    'ARTIFACT.md': `${manifest('command', version)}Ship ${edition}.\n`,
  }),
  law: (id, { edition, version }) => ({
    'ARTIFACT.md': `${manifest('rule', version, 'rule_mode: always\n')}${tokenOf(id, edition)}\n`,
  }),
  db: (id, { edition, version }) => ({
    'ARTIFACT.md': manifest(
      'mcp-server',
      version,
      `name: db\nserver_identifier: npx:${tokenOf(id, edition)}\n`,
    ),
  }),
  logs: (id, { edition, version }) => ({
    'ARTIFACT.md': manifest(
      'mcp-server',
      version,
      `name: logs\nserver_identifier: npx:${tokenOf(id, edition)}\n`,
    ),
  }),
  end: (id, { edition, version }) => ({
    'ARTIFACT.md': manifest(
      'hook',
      version,
      `hook_event: stop\nhook_action: sh scripts/log.sh ${tokenOf(id, edition)}\n`,
    ),
    'scripts/log.sh': 'echo done\n',
  }),
};

export const NAMES = Object.keys(AUTHORS);
export const TEAMS = ['ops', 'dev'];

export const SHARED_NAMES: readonly string[] = ['law', 'db', 'logs', 'end'];

export function nameOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

/** Returns the text that marks the entry of one edition of an artifact in a shared file. */
export function tokenOf(id: string, edition: number): string {
  return `${nameOf(id)}-e${edition}e`;
}

export function writeRegistry(folder: string, registry: Registry, previous?: Registry): void {
  for (const id of previous?.keys() ?? []) {
    if (registry.get(id) !== previous?.get(id)) {
      rmSync(`${folder}/${id}`, { recursive: true, force: true });
    }
  }
  mkdirSync(folder, { recursive: true });
  for (const [id, served] of registry) {
    if (previous?.get(id) === served) continue;
    for (const [path, text] of Object.entries(filesOf(id, served))) {
      const file = `${folder}/${id}/${path}`;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}

function filesOf(id: string, served: Served): Files {
  const files = AUTHORS[nameOf(id)]?.(id, served) ?? {};
  return served.broken ? { ...files, 'ARTIFACT.md': '---\ntype: [broken\n---\n' } : files;
}
