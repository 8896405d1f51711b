import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { encode } from '@catalog/embedder/encode';
import { openSqliteStore } from '@catalog/server/adapters/store/sqlite/open-store';
import type { EmbedEngine } from './embed-engine.ts';

export const sqliteEngine: EmbedEngine = {
  name: 'sqlite',
  in_process: true,
  open: (folder) => openSqliteStore({ path: join(folder, 'catalog.db') }),
  async insertBare(folder, batches) {
    const path = join(folder, 'bare.db');
    for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
    const database = new DatabaseSync(path);
    database.exec(
      'PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL',
    );
    database.exec('CREATE TABLE vectors (number INTEGER PRIMARY KEY, vector BLOB NOT NULL) STRICT');
    const insert = database.prepare('INSERT INTO vectors (vector) VALUES (?)');
    for (const texts of batches) {
      database.exec('BEGIN');
      for (const text of texts) insert.run(new Uint8Array(new Float16Array(encode(text)).buffer));
      database.exec('COMMIT');
    }
    database.close();
  },
};
