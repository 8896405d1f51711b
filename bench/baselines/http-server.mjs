// The least a Node process does to answer HTTP: what a registry's start is held against.
import { createServer } from 'node:http';

createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end('{"mode":"ready"}');
}).listen(Number(process.argv[2]), '127.0.0.1');
