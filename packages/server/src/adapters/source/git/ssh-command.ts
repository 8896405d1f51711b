export interface SshRoute {
  host: string;
  port: number;
  address: string;
  ssh_key: string | undefined;
  /** Path of the `known_hosts` file; if undefined, the file of the OS user applies. Unknown host keys are rejected. */
  known_hosts: string | undefined;
}

/**
 * Returns the ssh command for git. It connects to the checked address, requires the known key of the host name, and
 * disables agents, forwarding, prompts and user configuration.
 */
export function sshCommand(route: SshRoute): string {
  // Paths are quoted, so that ssh accepts spaces in them.
  const options: Record<string, string> = {
    HostName: route.address,
    HostKeyAlias: route.port === 22 ? route.host : `[${route.host}]:${route.port}`,
    BatchMode: 'yes',
    StrictHostKeyChecking: 'yes',
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    IdentityFile: route.ssh_key === undefined ? 'none' : `"${route.ssh_key}"`,
    ForwardAgent: 'no',
    ForwardX11: 'no',
    ClearAllForwardings: 'yes',
    PermitLocalCommand: 'no',
    ProxyCommand: 'none',
    ControlMaster: 'no',
    ControlPath: 'none',
    UpdateHostKeys: 'no',
    ConnectTimeout: '15',
    ServerAliveInterval: '15',
    ServerAliveCountMax: '2',
  };
  if (route.known_hosts !== undefined) {
    options['UserKnownHostsFile'] = `"${route.known_hosts}"`;
    options['GlobalKnownHostsFile'] = '/dev/null';
  }
  const words = ['ssh', '-F', '/dev/null'];
  for (const [name, value] of Object.entries(options)) words.push('-o', `${name}=${value}`);
  return words.map(quote).join(' ');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
