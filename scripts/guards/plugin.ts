import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { findGuards, sourceFiles, switchableSources } from './find-guards.ts';
import { trialOf, withoutTrial } from './trial.ts';

/** Gives every module of the server its switchable text, and files of tests more than one name; the files stay as they are. */
export function guardSwitches(root: string): Plugin {
  const sources = sourceFiles(root);
  const switchable = switchableSources(sources, findGuards(sources));
  return {
    name: 'guard-switches',
    enforce: 'pre',
    resolveId(id) {
      if (trialOf(id) === null) return null;
      return id.startsWith(root) ? id : join(root, id);
    },
    load(id) {
      if (this.environment.name === 'client') return null;
      const [path = ''] = id.split('?');
      if (trialOf(path) !== null) return readFileSync(withoutTrial(path), 'utf8');
      return switchable.get(relative(root, path).replaceAll('\\', '/')) ?? null;
    },
  };
}
