import type { FileOperation } from '../adapter.ts';
import type { HookFileLanding, HookShim, ReadyHook } from '../landing.ts';
import { writeText } from '../place/write-files.ts';
import type { HookMatching } from './hook-matcher.ts';

/** Seconds a command may take where its author does not say. */
const DEFAULT_TIMEOUT = 60;

/** A product whose hooks are modules it loads. */
export interface ModuleHost {
  /** The id of its profile. */
  harness: string;
  /** `.catalog/hooks/pi.mjs`: what all the modules share. */
  runtime: string;
  /** The text of that. */
  program: string;
  /** Where the module of one hook goes; `{name}` is its name. */
  path: string;
  matching: HookMatching;
}

/**
 * A hook as a module of a few lines that says what to run and when; how is in one file that all the
 * modules of the product share.
 */
export function hookModule(
  host: ModuleHost,
): Pick<HookFileLanding, 'into' | 'path' | 'render' | 'shim'> {
  const files: FileOperation[] = [{ ...writeText(host.runtime, host.program), shared: true }];
  const shim: HookShim = Object.assign(({ command }: ReadyHook) => ({ command, files }), {
    matching: host.matching,
  });
  return { into: 'file', path: host.path, render: (hook) => moduleText(host, hook), shim };
}

function moduleText({ harness, runtime, path }: ModuleHost, hook: ReadyHook): string {
  const { artifact, event, native, command, timeout = DEFAULT_TIMEOUT, matcher } = hook;
  const up = '../'.repeat(path.split('/').length - 1);
  const options = {
    id: artifact.id,
    harness,
    event,
    on: native.event,
    ...(native.matcher === undefined ? {} : { tool: native.matcher }),
    ...(matcher === undefined ? {} : { matcher }),
    command,
    timeout,
  };
  return `// Written by catalog from ${artifact.id}; a change here is lost with the next sync.
import { hook } from ${JSON.stringify(up + runtime)};

export default hook(${JSON.stringify(options, null, 2)});
`;
}
