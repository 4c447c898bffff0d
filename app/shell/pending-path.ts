/** Whether the page at `path` is for one role, which the server checks before anything of it is shown. */
export const isGuarded = (path: string): boolean =>
  /^\/(?:agent\/(?!login|register)|admin\/|buyer\/(?!login|signup))/.test(path);

/** Whether something is shown while the page at `path` is loading. */
export const hasPendingPage = (path: string): boolean => path.startsWith('/propert') || isGuarded(path);
