/** One package: what it may import, and what it may touch. */
export interface PackageRule {
  /** Other packages its source may import. */
  imports: readonly string[];
  /** No I/O, no clock, no environment, no randomness. */
  pure: boolean;
  /** Packed as one bundle: everything it imports is a development dependency. */
  bundled?: true;
  /** Only ever runs inside a test, under a test's rules. */
  for_tests?: true;
}

/** The arrows of `docs/architecture.md`. A package that is not here may not exist. */
export const packageRules: Readonly<Record<string, PackageRule>> = {
  contract: { imports: [], pure: true },
  core: { imports: ['contract'], pure: true },
  embedder: { imports: [], pure: false },
  harness: { imports: ['contract', 'core'], pure: true },
  sdk: { imports: ['contract'], pure: false },
  consumer: { imports: ['contract', 'core', 'embedder', 'harness', 'sdk'], pure: false },
  server: { imports: ['contract', 'core', 'embedder', 'harness'], pure: false },
  cli: {
    imports: ['contract', 'core', 'embedder', 'harness', 'sdk', 'consumer', 'server'],
    pure: false,
    bundled: true,
  },
  mcp: { imports: ['contract', 'core', 'harness', 'sdk', 'consumer'], pure: false },
  web: { imports: ['contract', 'core', 'harness'], pure: false, bundled: true },
  testkit: {
    imports: ['contract', 'core', 'harness', 'sdk', 'consumer', 'server'],
    pure: false,
    for_tests: true,
  },
};

/** The part of core that reads folders, and the packages that share it. */
export const IMPURE_CORE = 'packages/core/src/node/';
export const IMPURE_CORE_READERS: ReadonlySet<string> = new Set(['consumer', 'server', 'testkit']);

/** Uses of Node in a pure package: hashes and signatures, which depend only on their input. */
export const ALLOWED_BUILTINS: Readonly<Record<string, readonly string[]>> = {
  'packages/core/src/artifact/content-hash.ts': ['node:crypto'],
  'packages/core/src/webhook/sign-dispatch.ts': ['node:crypto'],
};

/**
 * Where modules of operators and third parties are imported, by the path the configuration names, and
 * where a test runs modules the program has just generated.
 */
export const COMPUTED_IMPORTS: ReadonlySet<string> = new Set([
  'packages/consumer/src/adapters/load-adapters.ts',
  'packages/harness/src/shim/hook-module.test.ts',
  'packages/server/src/plugins/load-plugins.ts',
]);

/** The only readers of the environment: the entry of the program hands it to the configuration. */
export const ENVIRONMENT_READERS: ReadonlySet<string> = new Set([
  'packages/cli/src/bin.ts',
  'packages/cli/src/main.ts',
  'packages/mcp/src/bin.ts',
]);

/** Names of files that may read the clock, outside the pure packages. */
export const CLOCK_FILE = /\/clock\.ts$/;

/** Names of files that may draw random numbers and identifiers, outside the pure packages. */
export const RANDOM_FILE = /\/(?:id|random)\.ts$/;

/** Globals through which a pure function would stop being one. */
export const IMPURE_GLOBALS: ReadonlySet<string> = new Set([
  'WebSocket',
  'console',
  'crypto',
  'fetch',
  'navigator',
  'performance',
  'process',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
]);

/** Functions of Node that make something up. */
export const RANDOM_FUNCTIONS: ReadonlySet<string> = new Set([
  'randomBytes',
  'randomFillSync',
  'randomInt',
  'randomUUID',
  'getRandomValues',
]);

/** Names that say nothing about what is inside. */
export const EMPTY_NAMES = /(?:^|-)(?:utils?|helpers?|manager|service|common|misc)$/;
