import { installDebianPackages } from './debian-packages.ts';

export interface Chromium {
  program: string;
  env: Record<string, string>;
}

/** On systems other than Debian, an environment variable can specify a browser. */
export async function installChromium(): Promise<Chromium> {
  const named = process.env['CATALOG_TEST_CHROMIUM'];
  if (named !== undefined) return { program: named, env: {} };
  const { program, env } = await installDebianPackages('chromium', ['chromium']);
  return { program: program('usr/lib/chromium/chromium'), env };
}
