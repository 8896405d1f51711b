import { installDebianPackages } from './debian-packages.ts';

export interface TmuxProgram {
  program: string;
  env: Record<string, string>;
}

export async function installTmux(): Promise<TmuxProgram> {
  const { program, env } = await installDebianPackages('tmux', ['tmux']);
  return { program: program('usr/bin/tmux'), env };
}
