import { installDebianPackages } from './debian-packages.ts';

export interface ReverseProxyProgram {
  program: string;
  env: Record<string, string>;
}

export async function installNginx(): Promise<ReverseProxyProgram> {
  const { program, env } = await installDebianPackages('nginx', ['nginx']);
  return { program: program('usr/sbin/nginx'), env };
}

export async function installCaddy(): Promise<ReverseProxyProgram> {
  const { program, env } = await installDebianPackages('caddy', ['caddy']);
  return { program: program('usr/bin/caddy'), env };
}
