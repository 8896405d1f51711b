import type { FileOperation } from '../adapter.ts';
import type { HookFileLanding, HookShim, ReadyHook } from '../landing.ts';
import { writeText } from '../place/write-files.ts';
import type { HookMatching } from './hook-matcher.ts';

/** Default timeout in seconds. */
const DEFAULT_TIMEOUT = 60;

/** Product that loads hooks as modules. */
export interface ModuleHost {
  harness: string;
  /** Path of the shared module, such as `.catalog/hooks/pi.mjs`. */
  runtime: string;
  program: string;
  /** Path of a module; `{name}` is the name of the hook. */
  path: string;
  matching: HookMatching;
}

/**
 * Renders a module with the command and the event of a hook. The implementation is in one file that all modules of the
 * product share.
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
