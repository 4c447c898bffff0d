/** What stands in a library's file, and what the browser's build gets in its place. */
export type Cut = readonly [from: RegExp, to: string];

const never = (condition: RegExp): Cut => [condition, 'if (false)'];
const mute = (name: string): Cut => [
  new RegExp(`^(?=function ${name}\\()`, 'm'),
  '/* @__NO_SIDE_EFFECTS__ */ ',
];

/** The words in each library's files that tell the version which the cuts were read against. */
export const versions = { 'react-router/': 'react-router v8.4.0' };

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
};
