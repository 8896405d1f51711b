import { installDebianPackages } from './debian-packages.ts';

export interface KeyringProgram {
  /** `gnome-keyring-daemon`. */
  daemon: string;
  /** `dbus-run-session`: gives a program a bus of its own. */
  bus: string;
  /** For the daemon. */
  env: Record<string, string>;
}

/** A keychain as desktops have it; unpacked the first time. */
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
