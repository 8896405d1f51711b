import type { Json } from '@catalog/core/json';

const WINDOWS_COMMANDS = new Set(['powershell', 'commandWindows']);

export function isAddedForm(name: string, value: Json): boolean {
  return (
    WINDOWS_COMMANDS.has(name) && typeof value === 'string' && value.includes('.catalog/hooks/')
  );
}
