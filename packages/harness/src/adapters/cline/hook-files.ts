import type { FileOperation } from '../../adapter.ts';
import type { HookFileLanding, ReadyHook } from '../../landing.ts';
import { writeText } from '../../place/write-files.ts';
import { CLINE_TOOLS, clineScript } from './hook-script.ts';
import { hookEvents } from './hook-events.ts';

const SCRIPT = '.catalog/hooks/cline.mjs';

/**
 * The one program that Cline runs for an event. It must run as a CommonJS and as an ES module, since
 * that depends on the package.json of the workspace.
 */
const PROGRAM = `#!/usr/bin/env node
// Written by catalog for Cline; a change here is lost with the next sync.
// It runs every hook of catalog for the event that this file is named after.
import('node:url').then(({ pathToFileURL }) =>
  import(new URL('../../${SCRIPT}', pathToFileURL(process.argv[1]))),
);
`;

/** A file with each hook, and the program of its event, which all hooks of the event share. */
export const HOOK: HookFileLanding = {
  into: 'file',
  path: '.catalog/hooks/cline/{id}.json',
  events: hookEvents,
  without_event: 'refused',
  render: hookText,
  shim: Object.assign(
    ({ native, command }: ReadyHook) => ({ command, files: programsOf(native.event) }),
    { matching: CLINE_TOOLS },
  ),
};

function programsOf(event: string): FileOperation[] {
  const program = writeText(`.clinerules/hooks/${event}`, PROGRAM);
  return [
    { ...program, executable: true, shared: true },
    { ...writeText(SCRIPT, clineScript), shared: true },
  ];
}

function hookText({ artifact, event, native, command, timeout, matcher }: ReadyHook): string {
  const hook = { id: artifact.id, on: native.event, event, command, timeout, matcher };
  return `${JSON.stringify(hook, null, 2)}\n`;
}
