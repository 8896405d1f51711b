export interface SshRoute {
  /** The name the host is known by. */
  host: string;
  port: number;
  /** The address that was checked; the connection goes there and nowhere else. */
  address: string;
  ssh_key: string | undefined;
  /** Host keys that are trusted; those of the account when undefined. No other is accepted. */
  known_hosts: string | undefined;
}

/**
 * The command git reaches an ssh host with: to the pinned address, under the host's own key, without
 * agent, forwarding, prompt or anybody's configuration.
 */
export function sshCommand(route: SshRoute): string {
  // Paths are in ssh's own quotes, which keep one with a space whole.
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

/** Git hands the command to a shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
