import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { productionFolder } from './production-folder.ts';

/** A build of the next version, for upgrades. */
export interface NextVersion {
  path: string;
  /** the name of its own migration */
  migration: string;
  /** the path of the script which each of its pages loads, and which no earlier version has */
  script: string;
  remove: () => void;
}

/**
 * A copy of the build with one more migration, which adds a column, and one script under another name, as a real next version has.
 * @throws Error when the build looks other than expected
 */
export function nextVersion(): NextVersion {
  const folder = productionFolder();
  const migration = '9999_rehearsed_upgrade';
  const assets = join(folder.path, 'build/client/assets');
  const entry = readdirSync(assets).find((name) => /^entry\.client-[\w-]+\.js$/.test(name));
  if (!entry) throw new Error('The build has no entry script');
  const renamed = entry.replace(/-[\w-]+\.js$/, '-NextOne1.js');
  for (const part of ['client', 'server'])
    rewriteScripts(join(folder.path, 'build', part), (text) => text.replaceAll(entry, renamed));
  for (const suffix of ['.br', '.gz']) rmSync(join(assets, entry + suffix), { force: true });
  renameSync(join(assets, entry), join(assets, renamed));
  const last = /("\d{4}_\w+": \w+)\n\};/;
  const step = `"${migration}": { up: (db) => db.schema.alterTable("properties").addColumn("rehearsed", "text").execute() }`;
  const changed = rewriteScripts(join(folder.path, 'build/server'), (text) =>
    text.includes('to_regclass(')
      ? text.replace(last, (all, row) => all.replace(row, `${row},\n\t${step}`))
      : text,
  );
  if (!changed) throw new Error('The build has no list of migrations');
  return { path: folder.path, migration, script: `/assets/${renamed}`, remove: folder.remove };
}

/** Rewrites scripts, whose files may be linked elsewhere, and removes what was compressed of them; returns how many changed. */
function rewriteScripts(folder: string, rewrite: (text: string) => string): number {
  let changed = 0;
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.js')) continue;
    const path = join(folder, file);
    const before = readFileSync(path, 'utf8');
    const after = rewrite(before);
    if (after === before) continue;
    for (const suffix of ['', '.br', '.gz']) rmSync(path + suffix, { force: true });
    writeFileSync(path, after);
    changed += 1;
  }
  return changed;
}
