import type { System } from '@catalog/harness/mcp-registration';

/** The system whose folders for settings a harness uses here. */
export function currentSystem(): System {
  const { platform } = process;
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}
