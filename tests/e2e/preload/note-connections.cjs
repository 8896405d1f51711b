// Loaded before the program: every use of the network is recorded and succeeds.
const fs = require('node:fs');
const net = require('node:net');
const dns = require('node:dns');
const dgram = require('node:dgram');

function note(owner, name, describe) {
  const original = owner[name];
  owner[name] = function noted(...args) {
    fs.appendFileSync(process.env.NETWORK_LOG, `${describe(...args)}\n`);
    return original.apply(this, args);
  };
}

note(net.Socket.prototype, 'connect', (first) => {
  const [{ host, port, path }] = Array.isArray(first) ? first : [first];
  return `connect ${path ?? `${host}:${port}`}`;
});
note(net.Server.prototype, 'listen', () => 'listen');
note(dgram, 'createSocket', () => 'datagram socket');
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny']) {
  note(dns, name, (host) => `${name} ${host}`);
  note(dns.promises, name, (host) => `${name} ${host}`);
}
require('node:module').syncBuiltinESMExports();
