/** Every variable of the environment contract that catalog-mcp reads, in the order of the help. */
export const VARIABLES: readonly (readonly [name: string, summary: string])[] = [
  ['CATALOG_REGISTRY', 'address of the registry (else defaults.registry of the sync file)'],
  ['CATALOG_HARNESS', 'the adapter files are written for (else none)'],
  ['CATALOG_OVERLAY_PATH', "a folder whose artifacts stand above the registry's"],
  ['CATALOG_CACHE_MODE', 'always-revalidate, offline-first or offline-only'],
  ['CATALOG_MATERIALIZE_ROOT', 'the folder files are written below'],
  ['CATALOG_MCP_WRITE', 'all: executable content is written without asking'],
  ['CATALOG_IGNORE_RUNTIME_REQUIREMENTS', 'true: what this machine cannot run is written, too'],
  ['CATALOG_MCP_MIN_CLIENTS', 'the oldest hosts that are served: claude-code=1.0.30,cursor=0.50'],
  ['CATALOG_MCP_SURFACES', 'offered beside the four tools: resources,prompts,skills'],
];
