import { join, sep } from 'node:path';

import { type Plugin, parseAst } from 'vite';

/** For what no page of ours reaches: should that change, its first use says so. */
const NEVER = '{ throw Error("left out, see scripts/left-out.ts") }';
const NOTHING = '{}';

/**
 * What browsers never run of React and the router, 8 kB compressed of what every page would load: bodies of functions, and
 * values of variables, by module and name. Where a function is called all the same, what is returned instead says that
 * there was nothing to do. Why, and until when: docs/decisions/014-left-out.md.
 */
export const leftOut: Record<
  string,
  { functions?: Record<string, string>; values?: Record<string, string> }
> = {
  'react-dom/cjs/react-dom-client.production.js': {
    functions: {
      // Events onBeforeInput, onSelect, and actions that are functions.
      getNativeBeforeInputChars: NOTHING,
      getFallbackBeforeInputChars: NOTHING,
      constructSelectEvent: NOTHING,
      extractEvents$1: NOTHING,
      // Lists of components in messages of errors, which no handler reads.
      getStackByFiberInDevAndProd: '{ return "" }',
      getComponentNameFromType: '{ return null }',
      // Style sheets and hints by components: the router's are in the page, others by links.
      preinitStyle: NEVER,
      preinitScript: NEVER,
      preinitModuleScript: NEVER,
      preload: NEVER,
      preloadModule: NEVER,
      prefetchDNS: NEVER,
      preconnect: NEVER,
      suspendResource: NEVER,
      insertStylesheetIntoRoot: NEVER,
      estimateBandwidth: '{ return 5 }',
      // Custom elements, Activity, SuspenseList, findDOMNode.
      setPropOnCustomElement: NEVER,
      updateActivityComponent: NEVER,
      updateSuspenseListComponent: NEVER,
      findCurrentFiberUsingSlowPath: NEVER,
      // Passed on by the renderer, and called by nothing in this version.
      defaultOnDefaultTransitionIndicator: NOTHING,
    },
    // Every browser with modules has these.
    values: { canUseDOM: '!0', canUseCompositionEvent: '!0', useFallbackCompositionData: '!1' },
  },
  'react-router/dist/production/lib/router/instrumentation.js': {
    functions: {
      getRouteInstrumentationUpdates: NEVER,
      instrumentClientSideRouter: NEVER,
      consumeInstrumentationClientResultMetaReceiver: NOTHING,
    },
  },
  'react-router/dist/production/lib/router/router.js': {
    functions: { getInstrumentationNavigateMeta: NEVER },
  },
  'react-router/dist/production/lib/dom/ssr/components.js': {
    functions: {
      PrefetchPageLinks: NEVER,
      usePrefetchBehavior:
        '{ if (prefetch !== "none") throw Error("left out, see scripts/left-out.ts"); return [false, React$1.useRef(null), {}] }',
    },
    // Only the server writes the page's scripts.
    values: { contextScript: '" "', routeModulesScript: '" "' },
  },
  'react-router/dist/production/lib/dom/ssr/routes.js': {
    functions: { createClientRoutesWithHMRRevalidationOptOut: NEVER },
  },
  'react-router/dist/production/lib/dom/ssr/single-fetch.js': { functions: { nonSsrStrategy: NEVER } },
  'react-router/dist/production/lib/dom/lib.js': {
    functions: { useViewTransitionState: '{ return false }' },
  },
  'react-router/dist/production/lib/hooks.js': { functions: { RSCErrorHandler: NEVER } },
};

interface Node {
  type: string;
  start: number;
  end: number;
}

/**
 * The code of a module without what is left out of it.
 * @throws Error when the module has not exactly one function or variable of such a name: after an update of a package it
 * has to be looked at again
 */
export function withoutLeftOut(name: string, code: string): string {
  const { functions = {}, values = {} } = leftOut[name] ?? {};
  const cuts: { start: number; end: number; by: string; of: string }[] = [];
  visit(parseAst(code, { sourceType: 'module' }) as unknown as Node, (node) => {
    const { id, body, init } = node as Node & { id?: { name?: string }; body?: Node; init?: Node };
    const of = id?.name;
    if (!of) return;
    if (node.type === 'FunctionDeclaration' && Object.hasOwn(functions, of) && body)
      cuts.push({ start: body.start, end: body.end, by: functions[of] ?? '', of });
    if (node.type === 'VariableDeclarator' && Object.hasOwn(values, of) && init)
      cuts.push({ start: init.start, end: init.end, by: values[of] ?? '', of });
  });
  for (const wanted of [...Object.keys(functions), ...Object.keys(values)]) {
    const found = cuts.filter(({ of }) => of === wanted).length;
    if (found !== 1) throw new Error(`${name} has ${found} of ${wanted}: see scripts/left-out.ts`);
  }
  cuts.sort((one, other) => other.start - one.start);
  return cuts.reduce((rest, { start, end, by }) => rest.slice(0, start) + by + rest.slice(end), code);
}

function visit(node: unknown, seen: (node: Node) => void): void {
  if (Array.isArray(node)) {
    for (const one of node) visit(one, seen);
    return;
  }
  if (!node || typeof node !== 'object') return;
  if ('type' in node) seen(node as Node);
  for (const inner of Object.values(node)) if (inner && typeof inner === 'object') visit(inner, seen);
}

const packages = join('/', 'node_modules', '/');

/** Leaves out of the browser's build what `leftOut` names. */
export function leaveOut(): Plugin {
  const met = new Set<string>();
  return {
    name: 'leave-out',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform(code, id) {
      const name = id.split('?')[0]?.split(packages).at(-1)?.split(sep).join('/');
      if (!name || !Object.hasOwn(leftOut, name)) return null;
      met.add(name);
      return { code: withoutLeftOut(name, code), map: null };
    },
    buildEnd(error) {
      if (error) return;
      for (const name of Object.keys(leftOut))
        if (!met.has(name)) throw new Error(`Nothing imports ${name} any longer: see scripts/left-out.ts`);
    },
  };
}
