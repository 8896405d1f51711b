import { Writable } from 'node:stream';

/** The standard streams of a process. */
export interface StandardStreams {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/**
 * Keeps stdout for the protocol: one stray byte there ends the conversation with the host. The
 * stream that is handed back writes to it, everybody else's output goes to stderr, `console` included.
 */
export function claimStdout({ stdout, stderr }: StandardStreams): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => void write(chunk, done),
  });
  // The reader went away: nobody is left to tell, here or on stderr.
  stdout.on('error', (error) => output.destroy(error));
  stderr.on('error', () => undefined);
  return output;
}
