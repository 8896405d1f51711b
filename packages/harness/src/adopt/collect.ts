import { jsonHash } from '@catalog/core/canonical-json';
import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import { importsFromRoot } from '../place/prose-imports.ts';
import type { AdoptSource, AdoptedType } from './adopt-source.ts';
import type { Candidate, Found, FoundFile, SkippedArtifact, OwnedFiles } from './candidate.ts';
import { memberAt, readParts, settingsOf, textOf } from './product-text.ts';
import { fromProductArguments } from './product-arguments.ts';
import { listCommands, readHook } from './read-hooks.ts';
import { holdsSecret, readServer } from './read-server.ts';
import { isManagedMember, userText, withoutManaged } from './user-content.ts';
import { namesPluginFolder } from './hook-scripts.ts';
import { readSkill } from './read-skill.ts';
import { readServerManifest } from './server-manifest.ts';
import { childPath, endingOf, folderOf, nameIn } from './template-names.ts';

export interface FoundWorkspace {
  files: ReadonlyMap<string, FoundFile>;
  owned: OwnedFiles;
}

export const FROM_REGISTRY = 'it came from the registry';

const IMPORTS_REWRITTEN = 'its imports (@path) count from the workspace root';

export function collect(
  harness: string,
  sources: readonly AdoptSource[],
  workspace: FoundWorkspace,
): Found[] {
  return sources.flatMap((source) => new Collector(harness, sources, workspace).of(source));
}

class Collector {
  readonly #harness: string;
  readonly #sources: readonly AdoptSource[];
  readonly #workspace: FoundWorkspace;

  constructor(harness: string, sources: readonly AdoptSource[], workspace: FoundWorkspace) {
    this.#harness = harness;
    this.#sources = sources;
    this.#workspace = workspace;
  }

  of(source: AdoptSource): Found[] {
    switch (source.kind) {
      case 'skills':
        return this.#skills(source);
      case 'documents':
        return this.#documents(source);
      case 'prose':
        return this.#prose(source);
      case 'hooks':
        return this.#hooks(source);
      case 'servers':
        return this.#servers(source);
      case 'server-manifest':
        return this.#serverManifest(source.path);
      case 'programs':
        break;
    }
    return this.#programs(source.path);
  }

  #skills({ folder, names }: Extract<AdoptSource, { kind: 'skills' }>): Found[] {
    const start = childPath(folder, '').length;
    const folders = Map.groupBy(
      this.#below(folder),
      ({ path }) => path.slice(start).split('/')[0] ?? '',
    );
    return [...folders].flatMap(([name, all]): Found[] => {
      if (names?.includes(name) === false) return [];
      const root = `${childPath(folder, name)}/`;
      const file = all.find(({ path }) => path === `${root}SKILL.md`);
      if (file === undefined) return this.#notASkill(name, root, all);
      if (this.#isOwned(file)) return [this.#left('skill', name, file, FROM_REGISTRY)];
      const reading = readSkill(name, root, all);
      if ('left' in reading) return [this.#left('skill', name, file, reading.left)];
      const changed_at = Math.max(...all.map((one) => one.changed_at));
      return [{ ...this.#candidate('skill', name, file), ...reading, changed_at }];
    });
  }

  /** Reports single files as ignored, and skips folders of catalog. */
  #notASkill(name: string, root: string, files: readonly FoundFile[]): Found[] {
    const [first] = files.filter((file) => file.path.startsWith(root) && !this.#isOwned(file));
    return first === undefined ? [] : [this.#left('skill', name, first, 'it has no SKILL.md')];
  }

  #documents(source: Extract<AdoptSource, { kind: 'documents' }>): Found[] {
    const { type, path: template, read } = source;
    return this.#below(folderOf(template)).flatMap((file): Found[] => {
      if (source.files?.includes(file.path) === false) return [];
      const named = nameIn(template, file.path);
      if (named === undefined || this.#isNearer(template, file.path)) return [];
      const { name, folder } = named;
      if (this.#isOwned(file)) return [this.#left(type, name, file, FROM_REGISTRY)];
      const text = textOf(file.bytes);
      const parts = typeof text === 'string' ? readParts(text, file.path) : text;
      const reading = 'left' in parts ? parts : read({ name, ...parts });
      if ('left' in reading) return [this.#left(type, name, file, reading.left)];
      const back = fromProductArguments(reading.body, source.arguments);
      const changes = [...reading.changes, ...back.changes];
      const body = source.imports === true ? importsFromRoot(back.body, file.path) : back.body;
      if (body !== back.body) changes.push(IMPORTS_REWRITTEN);
      if (!('left' in parts) && parts.by_lines === true) {
        changes.push('its frontmatter is not valid YAML and was read line by line');
      }
      if (folder !== '') changes.push(`its folder ${folder} is part of its id only`);
      const preserved = preservedDocument(file, !('left' in parts) && holdsSecret(parts.values));
      changes.push(...preserved.changes);
      return [
        {
          ...this.#candidate(type, name, file),
          ...reading,
          ...preserved,
          body,
          folder,
          changes,
        },
      ];
    });
  }

  #prose(source: Extract<AdoptSource, { kind: 'prose' }>): Found[] {
    const { path, imports } = source;
    const file = this.#workspace.files.get(path);
    if (file === undefined || !this.#isRead(source)) return [];
    const name = slug(path.slice(path.lastIndexOf('/') + 1));
    const text = textOf(file.bytes);
    const own = typeof text === 'string' ? userText(text, path) : text;
    if (typeof own === 'object') return [this.#left('rule', name, file, own.left)];
    if (own.trim() === '') return [];
    const body = imports ? importsFromRoot(own, path) : own;
    const changes = body === own ? [] : [IMPORTS_REWRITTEN];
    const values = { rule_mode: 'always' };
    // Blocks of catalog do not belong to the user.
    const isWhole = typeof text === 'string' && own === text.replace(BYTE_ORDER_MARK, '');
    const bytes = isWhole ? file.bytes : encoder.encode(own);
    const { sources } = preservedDocument({ ...file, bytes }, false);
    const read = { values, body, sources, changes, is_prose: true as const };
    return [{ ...this.#candidate('rule', name, file), ...read }];
  }

  /** Returns true if the product reads a file, directly or by an import. */
  #isRead({ path, imported }: Extract<AdoptSource, { kind: 'prose' }>): boolean {
    if (imported === undefined) return true;
    const texts = imported.files.flatMap((file) => {
      const found = this.#workspace.files.get(file);
      const text = found === undefined ? undefined : textOf(found.bytes);
      return typeof text === 'string' ? [importsFromRoot(text, file)] : [];
    });
    if (texts.length === 0) return imported.reads_alone;
    return texts.some((text) => text.includes(`@./${path}`));
  }

  #hooks(source: Extract<AdoptSource, { kind: 'hooks' }>): Found[] {
    const { path } = source;
    const files = path.includes('{name}')
      ? this.#below(folderOf(path)).filter((file) => nameIn(path, file.path) !== undefined)
      : [this.#workspace.files.get(path)].filter((file) => file !== undefined);
    return files.flatMap((file) => {
      if (this.#isOwned(file)) return [this.#left('hook', 'all', file, FROM_REGISTRY)];
      const settings = settingsOf(file);
      if ('left' in settings) return [this.#left('hook', 'all', file, settings.left)];
      const events = source.lists(settings.values);
      return events === undefined ? [] : this.#commands(events, source, file);
    });
  }

  #commands(
    events: JsonObject,
    source: Extract<AdoptSource, { kind: 'hooks' }>,
    file: FoundFile,
  ): Found[] {
    const taken = new Map<string, number>();
    const own = withoutManaged(events, file.path, this.#workspace.owned);
    const commands = listCommands(own.events);
    const named = commands.length === 1 ? nameOfFile(source.path, file.path) : undefined;
    const ours: Found[] = own.removed
      ? [this.#left('hook', 'of the registry', file, FROM_REGISTRY)]
      : [];
    return [
      ...ours,
      ...commands.map((native): Found => {
        const at = { ...file, path: `${file.path}#${native.event}` };
        if ('left' in native) return this.#left('hook', native.event, at, native.left);
        const reading = readHook(native, source, this.#harness, (path) =>
          this.#workspace.files.get(path),
        );
        if ('left' in reading) return this.#left('hook', native.event, at, reading.left);
        const proposed = named ?? reading.name;
        const count = (taken.get(proposed) ?? 0) + 1;
        taken.set(proposed, count);
        const name = count === 1 ? proposed : `${proposed}-${count}`;
        const member = `${[...source.container, native.event].join('.')} (${native.command})`;
        const entry = { file: file.path, member };
        const found = {
          ...this.#candidate('hook', name, at),
          ...reading,
          name,
          entry,
          preserved_as: 'manifest' as const,
        };
        if (source.own_form) return found;
        const { element, commands: of_element, event } = native;
        const container = [...source.container, event];
        const hash = jsonHash(element);
        return { ...found, settings: { shape: 'array', container, hash, commands: of_element } };
      }),
    ];
  }

  #programs(template: string): Found[] {
    const ending = endingOf(template);
    return this.#below(folderOf(template)).flatMap((file) => {
      if (!file.path.endsWith(ending)) return [];
      const name = file.path.slice(file.path.lastIndexOf('/') + 1, -ending.length);
      const reason = this.#isOwned(file)
        ? FROM_REGISTRY
        : `it is a program for ${this.#harness} alone; write its command as a hook`;
      return [this.#left('hook', name, file, reason)];
    });
  }

  #servers(source: Extract<AdoptSource, { kind: 'servers' }>): Found[] {
    const { path, container } = source;
    const file = this.#workspace.files.get(path);
    if (file === undefined) return [];
    const settings = settingsOf(file);
    if ('left' in settings) return [this.#left('mcp-server', 'all', file, settings.left)];
    const servers = memberAt(settings.values, container) ?? {};
    return Object.entries(servers).map(([name, entry]): Found => {
      const at = { ...file, path: `${path}#${name}` };
      const owned = isManagedMember(
        settings.values,
        path,
        [...container, name],
        this.#workspace.owned,
      );
      if (owned) return this.#left('mcp-server', name, at, FROM_REGISTRY);
      const reading = readEntry(name, entry, source);
      if ('left' in reading) return this.#left('mcp-server', name, at, reading.left);
      const { fields: values, changes } = reading;
      const inFile = { file: path, member: [...container, name].join('.') };
      return {
        ...this.#candidate('mcp-server', name, at),
        values,
        changes,
        entry: inFile,
        settings: {
          shape: 'map',
          container: [...container],
          key: name,
          hash: jsonHash(entry),
          commands: 1,
        },
        preserved_as: 'manifest',
      };
    });
  }

  #serverManifest(path: string): Found[] {
    const file = this.#workspace.files.get(path);
    if (file === undefined) return [];
    const settings = settingsOf(file);
    const reading = 'left' in settings ? settings : readServerManifest(settings.values);
    if ('left' in reading) return [this.#left('mcp-server', 'server', file, reading.left)];
    const { name, fields: values, changes } = reading;
    return [{ ...this.#candidate('mcp-server', name, file), values, changes }];
  }

  #below(folder: string): FoundFile[] {
    const files = [...this.#workspace.files.values()];
    return files.filter(({ path }) => path.startsWith(childPath(folder, '')));
  }

  /** Returns true if a more specific place of the same harness contains the path. */
  #isNearer(template: string, path: string): boolean {
    const own = folderOf(template).length;
    return this.#sources.some(
      (source) =>
        'path' in source &&
        source.path.includes('{name}') &&
        folderOf(source.path).length > own &&
        path.startsWith(`${folderOf(source.path)}/`),
    );
  }

  #isOwned({ path }: FoundFile): boolean {
    return this.#workspace.owned.files.has(path);
  }

  #candidate(type: AdoptedType, name: string, { path, changed_at }: FoundFile): Candidate {
    return {
      kind: 'candidate',
      type,
      name,
      path,
      changed_at,
      folder: '',
      entry: null,
      harnesses: [this.#harness],
      values: {},
      body: '',
      resources: [],
      sources: [],
      preserved_as: 'files',
      left_out: [],
      changes: [],
    };
  }

  #left(type: AdoptedType, name: string, { path }: FoundFile, reason: string): SkippedArtifact {
    return { kind: 'left', type, name, harnesses: [this.#harness], path, reason };
  }
}

const encoder = new TextEncoder();
const BYTE_ORDER_MARK = /^\uFEFF/;

/** Returns the source of a document, except for a file with a secret. */
function preservedDocument(
  { path, bytes, executable }: FoundFile,
  holds_secret: boolean,
): Pick<Candidate, 'sources' | 'preserved_as' | 'changes'> {
  if (holds_secret) {
    const change = `${path} itself is not kept: it holds what looks like a secret`;
    return { sources: [], preserved_as: 'manifest', changes: [change] };
  }
  const name = path.slice(path.lastIndexOf('/') + 1);
  const sources = [{ source: path, path: name, bytes, executable }];
  return { sources, preserved_as: 'files', changes: [] };
}

function readEntry(
  name: string,
  entry: Json,
  source: Extract<AdoptSource, { kind: 'servers' }>,
): ReturnType<typeof readServer> {
  if (!isJsonObject(entry)) return { left: 'it is not an object with members' };
  if (source.in_plugin !== undefined && namesPluginFolder(JSON.stringify(entry))) {
    return { left: 'it runs a file of the plugin; install that program, and name its command' };
  }
  return readServer(name, entry, source);
}

function nameOfFile(template: string, path: string): string | undefined {
  return template.includes('{name}') ? nameIn(template, path)?.name : undefined;
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
}
