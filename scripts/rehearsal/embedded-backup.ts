import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '#platform/db/database.ts';
import type { BackupMethod } from './backup.ts';

/**
 * The embedded database gives its only session to one transaction at a time. So within one, after a checkpoint, nobody
 * writes to its folder, and a copy of it is consistent; others wait until the copy is made.
 * @param dataDir of the original
 * @param parent folder in which the backup and the restored copy are kept
 */
export function embeddedBackup(dataDir: string, parent: string = tmpdir()): BackupMethod {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'acre-rehearsal-'));
  const backup = join(folder, 'backup');
  const restored = join(folder, 'restored');
  const withoutClaim = (path: string) => !path.endsWith('postmaster.pid');
  return {
    async take(original, read) {
      const began = performance.now();
      const facts = await original.tx(async () => {
        await sql`checkpoint`.execute(original.q());
        await cp(join(dataDir, 'database'), join(backup, 'database'), {
          recursive: true,
          filter: withoutClaim,
        });
        return read(original);
      });
      return { facts, bytes: await sizeOf(backup), blockedSeconds: (performance.now() - began) / 1000 };
    },
    async restore() {
      await cp(backup, restored, { recursive: true });
      return openDatabase({ dataDir: restored });
    },
    async remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
