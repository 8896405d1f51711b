import { join } from 'node:path';
import { resolveHost } from '@catalog/server/adapters/egress/check-address';
import type { GitOptions } from '@catalog/server/adapters/source/git/git-options';
import { createGitSource, type GitSource } from '@catalog/server/adapters/source/git/git-source';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const MEBIBYTE = 1024 * 1024;

/** Returns options that allow sources on this machine. */
export function gitOptions(folder: string): GitOptions {
  return {
    folder,
    search_path: process.env['PATH'] ?? '',
    egress: {
      allowed_hosts: ['127.0.0.1', 'localhost'],
      proxy: { http: undefined, https: undefined, except: [] },
      ca_file: undefined,
    },
    resolve: resolveHost,
    credentials: [],
    known_hosts: undefined,
    limits: {
      bytes: 256 * MEBIBYTE,
      files: 100_000,
      time_ms: 60_000,
      personal_time_ms: 60_000,
      probe_time_ms: 60_000,
      connect_time_ms: 60_000,
    },
  };
}

export function openGitSource(changes: Partial<GitOptions> = {}): GitSource {
  const folder = join(temporaryFolder(), 'repositories');
  const source = createGitSource({ ...gitOptions(folder), ...changes });
  onTestFinished(() => source.close());
  return source;
}
