import type { Refused } from '../adapter.ts';
import type { HookFileLanding, Landings } from '../landing.ts';
import { canonicalMatcher } from '../shim/hook-matcher.ts';
import { memberAt } from './product-text.ts';
import type { AdoptReaders, AdoptSource, Reading, ProductDocument } from './adopt-source.ts';

const HOOKS_OF_A_FILE = ['hooks'];
const HOOK_FILE_MEMBERS = { version: 1 };

/** Returns the places to adopt from, including those that the product reads besides the destinations. */
export function adoptSourcesOf(landings: Landings, readers: AdoptReaders = {}): AdoptSource[] {
  const { skill, hook } = landings;
  return [
    ...(isRefused(skill)
      ? []
      : skill.folders.map((folder): AdoptSource => ({ kind: 'skills', folder }))),
    ...documentsOf(landings, readers),
    ...ruleSources(landings, readers),
    ...(isRefused(hook) ? [] : [hookSource(hook, readers)]),
    ...serverSources(landings, readers),
  ];
}

function documentsOf(landings: Landings, readers: AdoptReaders): AdoptSource[] {
  return (['agent', 'command'] as const).flatMap((type): AdoptSource[] => {
    const landing = landings[type];
    if (isRefused(landing)) return [];
    const read = readers[type] ?? readAsAuthored;
    const { path, arguments: form } =
      (type === 'command' ? readers.commands_at : undefined) ?? landing;
    return [
      { kind: 'documents', type, path, read, ...(form === undefined ? {} : { arguments: form }) },
    ];
  });
}

function ruleSources({ rule }: Landings, readers: AdoptReaders): AdoptSource[] {
  const imports = readers.imports === true;
  const toProse = (path: string): AdoptSource => ({ kind: 'prose', path, imports });
  const prose = [
    ...(readers.prose ?? []).map(toProse),
    ...importedProse(readers, isRefused(rule) || rule.into === 'file' ? [] : [rule.path]),
  ];
  if (isRefused(rule)) return prose;
  const { path } = rule;
  if (rule.into === 'block') return [toProse(path), ...prose];
  const read = readers.rule ?? readAsAuthored;
  return [{ kind: 'documents', type: 'rule', path, read, imports }, ...prose];
}

function importedProse(
  { prose = [], imported_prose }: AdoptReaders,
  own: readonly string[],
): AdoptSource[] {
  if (imported_prose === undefined) return [];
  const { path, reads_alone } = imported_prose;
  const imported = { files: [...own, ...prose], reads_alone };
  return [{ kind: 'prose', path, imports: true, imported }];
}

function hookSource(
  hook: Exclude<Landings['hook'], Refused>,
  { hook: form = {} }: AdoptReaders,
): AdoptSource {
  const { path, events } = hook;
  if (hook.into === 'file' && !isData(hook)) return { kind: 'programs', path };
  const container = hook.into === 'entry' ? hook.container : HOOKS_OF_A_FILE;
  const { seconds = (timeout) => timeout, narrowed = {}, lists, matchers } = form;
  const matching = hook.shim?.matching;
  const wrapped = hook.shim !== undefined;
  const siblingMembers = hook.beside ?? (hook.into === 'entry' ? {} : HOOK_FILE_MEMBERS);
  return {
    kind: 'hooks',
    path,
    container,
    lists: lists ?? ((values) => memberAt(values, container)),
    own_form: lists !== undefined,
    events,
    seconds,
    matcher: (native) =>
      matching === undefined ? native : canonicalMatcher(native, matching, matchers),
    narrowed,
    wrapped,
    beside: siblingMembers,
  };
}

function isData({ path }: HookFileLanding): boolean {
  return path.endsWith('.json');
}

function serverSources({ mcp_server }: Landings, readers: AdoptReaders): AdoptSource[] {
  if (isRefused(mcp_server) || mcp_server.project === undefined) return [];
  const { path, container } = mcp_server.project;
  const common = readers.server ?? ((entry) => entry);
  const { entry, limits } = mcp_server;
  return [
    {
      kind: 'servers',
      path,
      container,
      entry,
      common,
      ...(limits === undefined ? {} : { limits }),
    },
  ];
}

/** Converts a document whose keys need no renaming. */
export function readAsAuthored({ values, body }: ProductDocument): Reading {
  const { type: _type, ...kept } = values;
  return { values: kept, body, changes: [] };
}

function isRefused(landing: object): landing is Refused {
  return 'refused' in landing;
}
