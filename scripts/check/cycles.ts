import type { Finding } from './finding.ts';
import type { Source } from './sources.ts';

/**
 * Finds import cycles between files and between features, type imports included: what cannot be understood without each
 * other is one thing. Each is reported once.
 */
export function findCycles(sources: Source[]): Finding[] {
  const files = new Map<string, Set<string>>();
  const features = new Map<string, Set<string>>();
  const known = new Set(sources.map(({ path }) => path));
  for (const { path, imports } of sources) {
    if (/\.test\.tsx?$/.test(path)) continue;
    for (const { target } of imports) {
      if (target.kind !== 'file' || !known.has(target.path)) continue;
      add(files, path, target.path);
      const [from, to] = [featureOf(path), featureOf(target.path)];
      if (from && to && from !== to) add(features, from, to);
    }
  }
  return [
    ...cyclesIn(files).map((cycle) => ({
      file: cycle[0] ?? '',
      line: null,
      message: `imports itself: ${[...cycle, cycle[0]].join(' → ')}`,
    })),
    ...cyclesIn(features).map((cycle) => ({
      file: `features/${cycle[0]}`,
      line: null,
      message: `is in a circle of features: ${[...cycle, cycle[0]].join(' → ')}`,
    })),
  ];
}

const featureOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1];

function add(graph: Map<string, Set<string>>, from: string, to: string): void {
  graph.set(from, (graph.get(from) ?? new Set()).add(to));
}

/** Finds cycles by depth-first search; at least one for each strongly connected component. */
function cyclesIn(graph: Map<string, Set<string>>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (node: string, visiting: string[]): void => {
    const at = visiting.indexOf(node);
    if (at >= 0) {
      found.push(visiting.slice(at));
      return;
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...visiting, node]);
    done.add(node);
  };
  for (const node of [...graph.keys()].sort()) visit(node, []);
  return found;
}
