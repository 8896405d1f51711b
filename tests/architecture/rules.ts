export interface PackageRule {
  imports: readonly string[];
  pure: boolean;
  /** True for a package that is published as one bundle, so that all imports are development dependencies. */
  bundled?: true;
  /** True for a package that only tests use. */
  for_tests?: true;
}

/** The arrows of `docs/architecture.md`. Every package needs an entry. */
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

export const IMPURE_CORE = 'packages/core/src/node/';
export const IMPURE_CORE_READERS: ReadonlySet<string> = new Set(['consumer', 'server', 'testkit']);

/** Uses of Node in a pure package: hashes and signatures, which depend only on their input. */
export const ALLOWED_BUILTINS: Readonly<Record<string, readonly string[]>> = {
  'packages/core/src/artifact/content-hash.ts': ['node:crypto'],
  'packages/core/src/signing/ed25519.ts': ['node:crypto'],
  'packages/core/src/webhook/sign-dispatch.ts': ['node:crypto'],
};

/**
 * Files with computed imports: modules of operators and third parties at the configured path, and
 * modules that a test has generated.
 */
export const COMPUTED_IMPORTS: ReadonlySet<string> = new Set([
  'packages/consumer/src/adapters/load-adapters.ts',
  'packages/harness/src/shim/hook-module.test.ts',
  'packages/server/src/plugins/load-plugins.ts',
]);

/** Files that may read the environment: the entry point of a program passes it to the configuration. */
export const ENVIRONMENT_READERS: ReadonlySet<string> = new Set([
  'packages/cli/src/bin.ts',
  'packages/cli/src/main.ts',
  'packages/mcp/src/bin.ts',
]);

/** Names of files that may read the clock, outside of the pure packages. */
export const CLOCK_FILE = /\/clock\.ts$/;

/** Names of files that may create random values and ids, outside of the pure packages. */
export const RANDOM_FILE = /\/(?:id|random)\.ts$/;

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

export const RANDOM_FUNCTIONS: ReadonlySet<string> = new Set([
  'randomBytes',
  'randomFillSync',
  'randomInt',
  'randomUUID',
  'getRandomValues',
]);

export const EMPTY_NAMES = /(?:^|-)(?:utils?|helpers?|manager|service|common|misc)$/;
