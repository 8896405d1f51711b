import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { MAX_TEXT_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { expandHome } from '@catalog/core/text/expand-home';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { adapterKit } from '@catalog/harness/adapter-kit';
import { checkDeclaration } from '@catalog/harness/check-declaration';
import { defineHarness } from '@catalog/harness/define-harness';
import { guardAdapter } from '@catalog/harness/guard-adapter';
import { adapters as builtIn } from '@catalog/harness/registry';
import type { Config, ConfigFile } from '../config/types.ts';
import type { Approved } from '../trust/approved.ts';
import { approveByFile, type TrustOptions } from '../trust/require-trust.ts';

export type KnownAdapters = ReadonlyMap<string, HarnessAdapter>;

/**
 * Loads the built-in adapters and those that the configuration lists under `adapters` (DELIV-07). Such a module is code
 * of a third party: it is loaded only if the user has trusted its exact content. It cannot replace a built-in adapter
 * or import other files.
 */
export async function loadAdapters(
  config: Pick<Config, 'files' | 'home' | 'trust_file'>,
  options: TrustOptions,
): Promise<KnownAdapters> {
  const withSpecifier = config.files.flatMap((file) =>
    (file.content.adapters ?? []).map((specifier) => ({ file, specifier })),
  );
  if (withSpecifier.length === 0) return builtIn;
  const known = new Map(builtIn);
  for (const { file, specifier } of withSpecifier) {
    const path = findModule(specifier, file, config.home);
    const bytes = readModule(path, specifier, file);
    const wants = [`adapter ${specifier}`];
    const text_hash = bytesHash(bytes);
    const named_file = { path, hash: text_hash };
    const trusted = await approveByFile(bytes, config, named_file, wants, options);
    const adapter = { ...(await loadModule(trusted, specifier, file)), text_hash };
    if (known.has(adapter.id)) {
      throw refused(
        specifier,
        file,
        `has the name ${adapter.id}, which is already the name of a harness`,
      );
    }
    known.set(adapter.id, adapter);
  }
  return known;
}

/** Resolves the name of a module: a path relative to the file that names it, or else an installed package. */
function findModule(specifier: string, file: ConfigFile, home: string): string {
  const isPath = /^[.~/]/.test(specifier);
  if (isPath) return resolve(file.base, expandHome(specifier, home));
  try {
    return createRequire(`${file.base}/`).resolve(specifier);
  } catch (cause) {
    throw refused(specifier, file, `is not installed in ${file.base}`, cause);
  }
}

function readModule(path: string, specifier: string, file: ConfigFile): Buffer {
  try {
    return readRegularFile(path, MAX_TEXT_BYTES);
  } catch (cause) {
    throw refused(specifier, file, `cannot be read at ${path}`, cause);
  }
}

/** Imports a module, which exports a declaration or a function that creates one from `adapterKit`. */
async function loadModule(
  bytes: Approved<Buffer>,
  specifier: string,
  file: ConfigFile,
): Promise<HarnessAdapter> {
  // A module with a data URL can import only Node's built-in modules.
  const address = `data:text/javascript;base64,${bytes.toString('base64')}`;
  const failed = (problem: string, cause?: unknown): CatalogError =>
    refused(specifier, file, problem, withSpecifier(cause, address, specifier));
  let exported: unknown;
  try {
    const module: { default?: unknown } = await import(/* @vite-ignore */ address);
    exported = typeof module.default === 'function' ? module.default(adapterKit) : module.default;
  } catch (cause) {
    throw failed(`cannot be loaded: ${describeLoadFailure(cause)}`, cause);
  }
  checkDeclaration(exported, failed);
  return guardAdapter(defineHarness(exported), failed);
}

/** Replaces the data URL in a stack trace, which contains the whole source of the module. */
function withSpecifier(cause: unknown, address: string, specifier: string): unknown {
  if (cause instanceof Error) {
    cause.message = cause.message.replaceAll(address, specifier);
    cause.stack = cause.stack?.replaceAll(address, specifier) ?? cause.message;
  }
  return cause;
}

function describeLoadFailure(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const imports = 'code' in cause && cause.code === 'ERR_UNSUPPORTED_RESOLVE_REQUEST';
  return imports
    ? 'it imports another module, but an adapter is a single file that can import only Node modules'
    : cause.message;
}

function refused(
  specifier: string,
  { path: file }: ConfigFile,
  problem: string,
  cause?: unknown,
): CatalogError {
  return new CatalogError('config.invalid', `${file}: the adapter ${specifier} ${problem}.`, {
    details: { file, key: 'adapters', value: specifier },
    suggested_action:
      'Fix the adapter (docs/guide/write-an-adapter.md), or remove it from `adapters`.',
    cause,
  });
}
