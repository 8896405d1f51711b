import type { Destination, HarnessAdapter, McpConfigFile } from './adapter.ts';

export interface ReadPlaces {
  folders: ReadonlySet<string>;
  /** Files such as `AGENTS.md`, and files that identify a product. */
  files: ReadonlySet<string>;
}

/** Folder of catalog, which products read only if a file refers to it. */
const OWN_FOLDER = '.catalog';

/**
 * Lists the places that harnesses read, in a workspace and in the home folder of every system. A product can read more
 * of its own folder than catalog writes, so the parent of a destination counts too.
 */
export function listReadPlaces(known: ReadonlyMap<string, HarnessAdapter>): ReadPlaces {
  const folders = new Set<string>();
  const files = new Set<string>();
  for (const adapter of [...known.values()].flatMap(listScopes)) {
    for (const path of [...adapter.skill_folders, ...listTemplateFolders(adapter)]) {
      const above = parentOf(path);
      folders.add(above === '' ? path : above);
    }
    for (const path of listFiles(adapter)) {
      const folder = parentOf(path);
      if (folder === '') files.add(path);
      else folders.add(folder);
    }
    for (const path of adapter.detect) files.add(path);
  }
  for (const folder of folders) {
    if (folder.split('/')[0] === OWN_FOLDER) folders.delete(folder);
  }
  return { folders, files };
}

function listScopes(adapter: HarnessAdapter): HarnessAdapter[] {
  const { user, user_on } = adapter;
  return [adapter, user, user_on?.darwin, user_on?.win32].filter((one) => one !== undefined);
}

/** Lists the folders of templates: `.x/agents` for `.x/agents/{name}.md`. */
function listTemplateFolders({ destinations, adopt = [] }: HarnessAdapter): string[] {
  const paths = [
    ...Object.values(destinations).map(({ path }) => path),
    ...adopt.flatMap((source) => ('path' in source ? [source.path] : [source.folder])),
  ];
  return paths.filter(isTemplate).flatMap((path) => {
    const parts = path.split('/');
    const folder = parts.slice(0, parts.findIndex(isTemplate)).join('/');
    return folder === '' ? [] : [folder];
  });
}

function listFiles(adapter: HarnessAdapter): string[] {
  const { destinations, adopt = [], also_reads = [], rules_import, mcp_config } = adapter;
  const declared = [
    ...Object.values<Destination>(destinations).map(({ path }) => path),
    ...adopt.flatMap((source) => ('path' in source ? [source.path] : [])),
    ...also_reads.map(({ path }) => path),
    ...(rules_import === undefined ? [] : [rules_import.path]),
    ...('refused' in mcp_config ? [] : listServerFiles(mcp_config)).map(({ path }) => path),
  ];
  return declared.filter((path) => !isTemplate(path));
}

function listServerFiles({
  project,
  beside,
  user,
}: Exclude<HarnessAdapter['mcp_config'], { refused: string }>): McpConfigFile[] {
  const users = user === undefined ? [] : 'path' in user ? [user] : Object.values(user);
  return [project, beside, ...users].filter((file) => file !== undefined);
}

function isTemplate(path: string): boolean {
  return path.includes('{');
}

function parentOf(path: string): string {
  return path.split('/').slice(0, -1).join('/');
}
