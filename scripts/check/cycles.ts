import type { Finding } from './rules.ts';
import type { Source } from './sources.ts';

/** Circles of imports that load code, each reported once at its first file; features count as one node too. */
export function findCycles(sources: Source[]): Finding[] {
  const files = new Map<string, Set<string>>();
  const features = new Map<string, Set<string>>();
  const known = new Set(sources.map(({ path }) => path));
  for (const { path, imports } of sources) {
    if (/\.test\.tsx?$/.test(path)) continue;
    for (const { target, typeOnly } of imports) {
      if (typeOnly || target.kind !== 'file' || !known.has(target.path)) continue;
      add(files, path, target.path);
      const [from, to] = [featureOf(path), featureOf(target.path)];
      // Constants and pure rules of another feature load nothing of it, and parts of a page may hold each other.
      const harmless = /\/(?:model|rules)\.ts$|\/components\//.test(target.path);
      if (from && to && from !== to && !harmless) add(features, from, to);
    }
  }
  return [
    ...circles(files).map((circle) => ({
      file: circle[0] ?? '',
      line: null,
      message: `imports itself: ${[...circle, circle[0]].join(' → ')}`,
    })),
    ...circles(features).map((circle) => ({
      file: `features/${circle[0]}`,
      line: null,
      message: `is in a circle of features: ${[...circle, circle[0]].join(' → ')}`,
    })),
  ];
}

const featureOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1];

function add(graph: Map<string, Set<string>>, from: string, to: string): void {
  graph.set(from, (graph.get(from) ?? new Set()).add(to));
}

/** One circle for each group of nodes that reach each other. */
function circles(graph: Map<string, Set<string>>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (node: string, trail: string[]): void => {
    const at = trail.indexOf(node);
    if (at >= 0) {
      found.push(trail.slice(at));
      return;
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of [...graph.keys()].sort()) visit(node, []);
  return found;
}
