import { join } from 'node:path';
import { defineConfig, loadConfigFromFile, mergeConfig } from 'vite';
import { projectRoot } from '#platform/project-root.ts';
import { guardSwitches } from './plugin.ts';

// The server with switchable guards, for the tests that need a running one.
export default defineConfig(async (env) => {
  const usual = await loadConfigFromFile(env, join(projectRoot, 'vite.config.ts'));
  return mergeConfig(usual?.config ?? {}, { plugins: [guardSwitches(projectRoot)] });
});
