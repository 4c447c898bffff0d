let leaving = new AbortController();

/** Aborted while this page signs out: what only its viewer may ask would be refused from then on. */
export const signingOut = (): AbortSignal => leaving.signal;

export function beginSignOut(): void {
  leaving.abort();
  // The browser may bring this page back.
  addEventListener(
    'pageshow',
    () => {
      leaving = new AbortController();
    },
    { once: true },
  );
}
