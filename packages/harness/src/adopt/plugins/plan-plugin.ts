import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import type { HarnessAdapter } from '../../adapter.ts';
import type { AdoptSource, SkippedContent } from '../adopt-source.ts';
import type { FoundFile } from '../candidate.ts';
import { memberAt, settingsOf } from '../product-text.ts';
import { childPath } from '../template-names.ts';
import { DESCRIPTIVE_MEMBERS, type Component, type PluginFormat } from './plugin-format.ts';
import { resolvePath } from './plugin-paths.ts';

export interface PluginRequest {
  format: PluginFormat;
  adapter: HarnessAdapter;
  /** Folder of the plugin, relative to the one that is read; empty for the same. */
  root: string;
  entry: JsonObject;
  fallback_name: string;
  /** Finds a file; undefined if it must not be read. */
  find: (path: string) => FoundFile | undefined;
}

export interface PluginPlan {
  name: string;
  version: string | undefined;
  origin: string;
  sources: AdoptSource[];
  /** Rejected paths, with the reason as a phrase that follows the path. */
  rejected: { path: string; reason: string }[];
  /** Members of the manifest without an artifact type. */
  members: string[];
}

const MAX_MANIFEST_BYTES = 1024 * 1024;

export function readManifest(file: FoundFile): { values: JsonObject } | SkippedContent {
  return file.bytes.length > MAX_MANIFEST_BYTES
    ? { left: `it is larger than ${MAX_MANIFEST_BYTES / 1024} KiB` }
    : settingsOf(file);
}

export function isPluginName(name: unknown): name is string {
  return typeof name === 'string' && PLUGIN_NAME.test(name) && !RESERVED_NAME.test(name);
}

/** Valid names of plugins, which become folders of the registry. */
const PLUGIN_NAME = /^[A-Za-z0-9](?:[\w.-]{0,62}[A-Za-z0-9])?$/;
const RESERVED_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
export const SEMANTIC_VERSION = /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;

export function planPlugin(request: PluginRequest): PluginPlan | SkippedContent {
  const { format, root, entry, fallback_name, find } = request;
  const path = childPath(root, format.manifest);
  const file = find(path);
  const manifest = file === undefined ? { values: {} } : readManifest(file);
  if ('left' in manifest) return manifest;
  const { values } = manifest;
  const name = values['name'] ?? entry['name'] ?? fallback_name;
  if (!isPluginName(name)) {
    return { left: 'its name is not made of letters, digits, dots, hyphens and underscores' };
  }
  const given = values['version'] ?? entry['version'];
  const version = typeof given === 'string' && SEMANTIC_VERSION.test(given) ? given : undefined;
  const place = addressIn(values) ?? addressIn(entry);
  const label = [format.title, name, version].filter((part) => part !== undefined).join(' ');
  const plan: PluginPlan = {
    name,
    version,
    origin: place === undefined ? label : `${label}, ${place}`,
    sources: [],
    rejected: [],
    members: Object.keys({ ...entry, ...values }).filter(
      (key) =>
        !DESCRIPTIVE_MEMBERS.has(key) &&
        !Object.hasOwn(format.components, key) &&
        !(key === PROSE_MEMBER && format.prose !== undefined),
    ),
  };
  for (const component of COMPONENTS) addComponent(plan, component, values, request);
  if (format.prose !== undefined) addProse(plan, values[PROSE_MEMBER] ?? format.prose, root);
  return plan;
}

/** Adds the default place of a component, and those that the manifest names. */
function addComponent(
  plan: PluginPlan,
  component: Component,
  values: JsonObject,
  request: PluginRequest,
): void {
  const { format, root, entry } = request;
  const standard = format.components[component];
  if (standard === undefined) return;
  const own = values[component];
  const given = own ?? entry[component] ?? [];
  const items = Array.isArray(given) ? given : [given];
  const manifest = childPath(root, format.manifest);
  const add = (found: AdoptSource | SkippedContent, path: string): void => {
    if ('left' in found) plan.rejected.push({ path, reason: `is not accepted: ${found.left}` });
    else plan.sources.push(found);
  };
  const keepsStandard = items.length === 0 || (own !== undefined && ADDS.has(component));
  if (standard !== '' && keepsStandard) {
    const path = childPath(root, standard);
    add(sourceAt(component, path, path, request), path);
  }
  for (const item of items) {
    const named = `${manifest}#${component}`;
    if (isJsonObject(item)) {
      const isWhole = item === own && (component === 'hooks' || component === 'mcpServers');
      const left = { left: 'only plugin.json can hold it, as one object' };
      add(isWhole ? inlineSource(component, manifest, request) : left, named);
      continue;
    }
    const path = resolvePath(item, root);
    if (typeof path === 'object') add(path, named);
    else if (path === root) add({ left: 'it names the whole plugin; name a folder of it' }, named);
    else add(namedSource(component, path, standard, request), named);
  }
}

/** Components whose named places are added to the default one instead of replacing it. */
const ADDS: ReadonlySet<Component> = new Set(['skills', 'hooks', 'mcpServers']);

/** Returns the source at a path: a file, a skill folder, or a folder of several. */
function namedSource(
  component: Component,
  path: string,
  standard: string,
  request: PluginRequest,
): AdoptSource | SkippedContent {
  const slash = path.lastIndexOf('/');
  const [folder, name] = [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
  if (component === 'skills') {
    const isSkill = request.find(`${path}/SKILL.md`) !== undefined;
    return isSkill ? { kind: 'skills', folder, names: [name] } : { kind: 'skills', folder: path };
  }
  const at = standard.indexOf('{name}');
  if (at === -1) return sourceAt(component, path, path, request);
  const isFile = request.find(path) !== undefined;
  const template = childPath(isFile ? folder : path, standard.slice(at));
  const source = sourceAt(component, template, path, request);
  return isFile && 'kind' in source && source.kind === 'documents'
    ? { ...source, files: [path] }
    : source;
}

const DOCUMENTS = { commands: 'command', agents: 'agent', rules: 'rule' } as const;

function sourceAt(
  component: Component,
  template: string,
  path: string,
  { adapter, root, find }: PluginRequest,
): AdoptSource | SkippedContent {
  const own = adapter.adopt ?? [];
  const none = { left: `${adapter.id} has no equivalent for ${component}` };
  switch (component) {
    case 'skills':
      return { kind: 'skills', folder: path };
    case 'hooks': {
      const source = own.find((one) => one.kind === 'hooks');
      return source === undefined ? none : { ...source, path, lists: hookLists, in_plugin: root };
    }
    case 'mcpServers': {
      const source = own.find((one) => one.kind === 'servers');
      const file = find(path);
      const settings = file === undefined ? undefined : settingsOf(file);
      const isWrapped =
        settings === undefined || 'left' in settings || isJsonObject(settings.values['mcpServers']);
      const container = isWrapped ? ['mcpServers'] : [];
      return source === undefined ? none : { ...source, path, container, in_plugin: root };
    }
    case 'commands':
    case 'agents':
    case 'rules':
      break;
  }
  const type = DOCUMENTS[component];
  const source = own.find((one) => one.kind === 'documents' && one.type === type);
  return source?.kind === 'documents' ? { ...source, path: template } : none;
}

function inlineSource(
  component: Component,
  path: string,
  request: PluginRequest,
): AdoptSource | SkippedContent {
  const source = sourceAt(component, path, path, request);
  return 'kind' in source && source.kind === 'servers'
    ? { ...source, container: ['mcpServers'] }
    : source;
}

function hookLists(values: JsonObject): JsonObject | undefined {
  return memberAt(values, ['hooks', 'hooks']) ?? memberAt(values, ['hooks']);
}

function addProse(plan: PluginPlan, given: Json, root: string): void {
  for (const item of Array.isArray(given) ? given : [given]) {
    const path = resolvePath(item, root);
    if (typeof path === 'string') plan.sources.push({ kind: 'prose', path, imports: true });
    else plan.rejected.push({ path: PROSE_MEMBER, reason: `is not accepted: ${path.left}` });
  }
}

const COMPONENTS: readonly Component[] = [
  'skills',
  'commands',
  'agents',
  'rules',
  'hooks',
  'mcpServers',
];

const PROSE_MEMBER = 'contextFileName';

function addressIn(values: JsonObject): string | undefined {
  const { repository, homepage } = values;
  const found = isJsonObject(repository) ? repository['url'] : (repository ?? homepage);
  return typeof found === 'string' && /^https?:\/\/[\w./~%:@+-]{1,300}$/.test(found)
    ? found
    : undefined;
}
