import { isIPv6, type LookupFunction } from 'node:net';

export function pinTo(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_name, options, done) => {
    const [first] = answers;
    if (options.all === true) done(null, answers);
    else done(null, first?.address ?? '', first?.family);
  };
}
