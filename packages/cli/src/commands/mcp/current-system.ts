import type { System } from '@catalog/harness/mcp-registration';

export function currentSystem(): System {
  const { platform } = process;
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}
