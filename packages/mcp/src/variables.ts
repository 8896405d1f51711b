export const VARIABLES: readonly (readonly [name: string, summary: string])[] = [
  ['CATALOG_REGISTRY', 'registry URL (default: defaults.registry of the sync file)'],
  ['CATALOG_HARNESS', 'harness to write files for (default: none)'],
  ['CATALOG_OVERLAY_PATH', 'a folder of artifacts that override those of the registry'],
  ['CATALOG_CACHE_MODE', 'always-revalidate, offline-first or offline-only'],
  ['CATALOG_MATERIALIZE_ROOT', 'the folder to write files below'],
  ['CATALOG_MCP_WRITE', 'all: write executable content without approval'],
  [
    'CATALOG_IGNORE_RUNTIME_REQUIREMENTS',
    'true: also write artifacts that this machine cannot run',
  ],
  ['CATALOG_MCP_MIN_CLIENTS', 'minimum versions of hosts: claude-code=1.0.30,cursor=0.50'],
  ['CATALOG_MCP_SURFACES', 'features in addition to the four tools: resources,prompts,skills'],
];
