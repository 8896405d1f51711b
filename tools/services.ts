/** A real server that tests talk to: a child process on a loopback port, data under `.services/`. */
interface Service {
  name: string;
  up(): Promise<void>;
  down(): Promise<void>;
  status(): Promise<{ state: 'up' | 'down'; pid: number | undefined; address: string | undefined }>;
}

/** Every service there is; a test suite that needs a new server adds its row here. */
const services: readonly Service[] = [];

async function main(action: string | undefined, names: readonly string[]): Promise<number> {
  if (action !== 'up' && action !== 'down' && action !== 'status') {
    process.stderr.write('usage: ./dev services up|down|status [name...]\n');
    return 2;
  }
  const unknown = names.filter((name) => !services.some((service) => service.name === name));
  if (unknown.length > 0) {
    process.stderr.write(`no service ${unknown.join(', ')}\n`);
    return 2;
  }
  const chosen = services.filter((service) => names.length === 0 || names.includes(service.name));
  for (const service of chosen) if (action !== 'status') await service[action]();
  const lines = ['name\tstate\tpid\taddress'];
  for (const service of chosen) {
    const { state, pid, address } = await service.status();
    lines.push(`${service.name}\t${state}\t${pid ?? '-'}\t${address ?? '-'}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  if (services.length === 0) process.stderr.write('No test needs a server yet.\n');
  return 0;
}

const [action, ...names] = process.argv.slice(2);
process.exitCode = await main(action, names);
