// Loaded before the program: every attempt to use the network is recorded and fails.
const fs = require('node:fs');
const net = require('node:net');
const dns = require('node:dns');
const dgram = require('node:dgram');

function refuse(what) {
  return () => {
    fs.appendFileSync(process.env.NETWORK_LOG, `${what}\n`);
    throw new Error(`the network was used: ${what}`);
  };
}

net.Socket.prototype.connect = refuse('connect');
net.Server.prototype.listen = refuse('listen');
dgram.createSocket = refuse('datagram socket');
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny']) {
  dns[name] = refuse(name);
  dns.promises[name] = refuse(name);
}
require('node:module').syncBuiltinESMExports();
