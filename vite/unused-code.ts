/** What stands in a library's file, and what the browser's build gets in its place. */
export type Cut = readonly [from: RegExp, to: string];

const never = (condition: RegExp): Cut => [condition, 'if (false)'];
/** A function of the file's top level loses its body; what only that body needed falls out with it. */
const empty = (name: string): Cut => [
  new RegExp(`^function ${name}\\(([^)]*)\\) \\{\\n[\\s\\S]*?^\\}`, 'm'),
  `function ${name}($1) {}`,
];
const mute = (name: string): Cut => [
  new RegExp(`^(?=function ${name}\\()`, 'm'),
  '/* @__NO_SIDE_EFFECTS__ */ ',
];

/** The words in each library's files that tell the version which the cuts were read against. */
export const versions = {
  'react-router/': 'react-router v8.4.0',
  'react-dom/': 'exports.version = "19.3.1"',
};

const router = 'react-router/dist/production/lib';

/** File (below node_modules) → the cuts made in it, in this order. */
export const cuts: Readonly<Record<string, readonly Cut[]>> = {
  // Instrumentation, the router's view transitions, and how routers without a server load data.
  [`${router}/router/router.js`]: [
    never(/if \(init\.instrumentations\)/g),
    never(/if \(opts\?\.instrumentationNavigateMetaReceiver\)/),
    [/consumeInstrumentationClientResultMetaReceiver\(router\)/g, 'undefined'],
    never(/if \(pendingAction === "POP" && !isUninterruptedRevalidation && location !== state\.location\)/),
    never(/if \(pendingViewTransitionEnabled\)/),
    [/\n\t\tif \(isBrowser\) \{\n\t\t\trestoreAppliedTransitions[\s\S]*?\n\t\t\}/, ''],
    [/init\.dataStrategy \|\| defaultDataStrategyWithMiddleware/, 'init.dataStrategy'],
  ],
  [`${router}/components.js`]: [
    [/useIsRSCRouterContext\(\) \|\| /, ''],
    [/if \(!viewTransitionOpts \|\| !isViewTransitionAvailable\)/, 'if (true)'],
    never(/if \(vtContext\.isTransitioning && !vtContext\.flushSync\)/),
    never(/if \(renderDfd && pendingState && router\.window\)/),
    never(/if \(renderDfd && pendingState && state\.location\.key === pendingState\.location\.key\)/),
    never(/if \(!vtContext\.isTransitioning && interruption\)/),
  ],
  // React Server Components.
  [`${router}/dom/ssr/components.js`]: [[/useIsRSCRouterContext\(\);/g, 'false;']],
  [`${router}/hooks.js`]: [
    never(/if \(this\.context\)/),
    [/if \(this\.context && /, 'if (false && '],
    mute('warningOnce'),
  ],
  // Warnings to developers: the server and `npm run dev` still give them.
  [`${router}/router/history.js`]: [mute('warning')],
  [`${router}/server-runtime/warnings.js`]: [mute('warnOnce')],
  // Names for developer tools, which keep components that no page uses.
  [`${router}/dom/lib.js`]: [[/^\w+\.displayName = .*$/gm, '']],
  // <ViewTransition> and references to fragments. Whoever comes to use one meets its error in the browser.
  'react-dom/cjs/react-dom-client.production.js': [
    [
      /(case REACT_VIEW_TRANSITION_TYPE:\n\s+)return \(/,
      '$1throw Error("<ViewTransition> is left out of this build"); return (',
    ],
    [/\((\w+) & 335544064\) === \1/g, '!1'],
    [/shouldStartViewTransition\n\s+\?/, '!1 ?'],
    empty('trackEnterViewTransitions'),
    empty('applyViewTransitionToHostInstances'),
    empty('restoreViewTransitionOnHostInstances'),
    empty('commitAppearingPairViewTransitions'),
    empty('commitEnterViewTransitions'),
    empty('commitDeletedPairViewTransitions'),
    empty('commitExitViewTransitions'),
    empty('commitNestedViewTransitions'),
    empty('restorePairedViewTransitions'),
    empty('restoreEnterOrExitViewTransitions'),
    empty('restoreNestedViewTransitions'),
    empty('measureNestedViewTransitions'),
    empty('scheduleViewTransitionEvent'),
    empty('createViewTransitionInstance'),
    empty('flushAfterMutationEffects'),
    [/^ViewTransitionPseudoElement\.prototype\.\w+ = function [\s\S]*?^\};$/gm, ''],
    [
      /if \(null === current\.stateNode\) \{\n\s+var fragmentInstance = [\s\S]*?\n {10}\}/,
      'throw Error("References to fragments are left out of this build");',
    ],
    [/^FragmentInstance\.prototype\.\w+ = function [\s\S]*?^\};$/gm, ''],
    empty('commitFragmentInstanceInsertionEffects'),
    empty('commitFragmentInstanceDeletionEffects'),
    empty('commitNewChildToFragmentInstances'),
    empty('isFragmentInstanceParent'),
  ],
};
