import { Writable } from 'node:stream';

export interface StandardStreams {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/**
 * Reserves stdout for protocol messages, because other output would end the connection. Everything else, including
 * `console`, goes to stderr.
 */
export function claimStdout({ stdout, stderr }: StandardStreams): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => void write(chunk, done),
  });
  // The reader has disconnected, so errors cannot be reported.
  stdout.on('error', (error) => output.destroy(error));
  stderr.on('error', () => undefined);
  return output;
}
