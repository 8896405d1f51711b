import { installDebianPackages } from './debian-packages.ts';

export interface KeyringProgram {
  daemon: string;
  /** `dbus-run-session`. */
  bus: string;
  env: Record<string, string>;
}

export async function installKeyring(): Promise<KeyringProgram> {
  const { program, env } = await installDebianPackages('gnome-keyring', [
    'gnome-keyring',
    'dbus-daemon',
  ]);
  return {
    daemon: program('usr/bin/gnome-keyring-daemon'),
    bus: program('usr/bin/dbus-run-session'),
    env,
  };
}
