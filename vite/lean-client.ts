import type { Plugin } from 'vite';
import { cuts, versions } from './unused-code.ts';

/**
 * Leaves out of the browser's bundle what React and React Router carry for features that the product does not use
 * (R11: a page's JavaScript stays small). Neither node_modules nor the server's bundle nor development is touched.
 * The build fails when a library's version, file or passage is not the one that a cut was written for: then read the
 * new source, adapt `unused-code.ts`, and measure again.
 */
export function leanClient(): Plugin {
  const seen = new Set<string>();
  return {
    name: 'lean-client',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      order: 'pre',
      filter: { id: /node_modules\/react-(router|dom)\// },
      handler(code, id) {
        const file = Object.keys(cuts).find((path) => id.endsWith(`/node_modules/${path}`));
        if (!file) return null;
        seen.add(file);
        for (const [library, version] of Object.entries(versions)) {
          if (file.startsWith(library) && !code.includes(version)) this.error(`${file} is not ${version}`);
        }
        let lean = code;
        for (const [from, to] of cuts[file] ?? []) {
          const next = lean.replace(from, to);
          if (next === lean) this.error(`${file} no longer holds ${from}`);
          lean = next;
        }
        return { code: lean, map: null };
      },
    },
    buildEnd(error) {
      const missing = Object.keys(cuts).filter((file) => !seen.has(file));
      if (!error && missing.length > 0) this.error(`No longer in the bundle: ${missing.join(', ')}`);
    },
  };
}
