import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { embedText } from '@catalog/testkit/test-embedder';
import { assertSealed } from '../../harness-programs/namespace.ts';
import { startLoopbackServer } from './loopback-server.ts';

/** Runs inside the namespace: starts Weaviate and its embedding server. */
assertSealed();

const INFERENCE_PORT = 11_434;
const DIMENSIONS = 384;

/** Responds like Ollama, with a vector for every input. */
await startLoopbackServer(({ method, path, body }) => {
  if (method !== 'POST' || path !== '/api/embed') return { status: 404, body: {} };
  const { model, input }: { model: string; input: string | string[] } = JSON.parse(body);
  const embeddings = [input].flat().map((text) => [...embedText(text, DIMENSIONS)]);
  return { status: 200, body: { model, embeddings } };
}, INFERENCE_PORT);

const [program = '', socket = ''] = process.argv.slice(2);
const weaviate = spawn(program, ['--scheme', 'unix', '--socket-path', socket], {
  stdio: 'inherit',
});
const [code] = await once(weaviate, 'exit');
process.exit(code ?? 1);
