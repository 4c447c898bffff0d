/**
 * Posts beside the router, for writes that are optimistic, outlive the page or must not replace it with the error page
 * when the connection is lost. Everything else is a `<Form>` or a fetcher.
 * @returns null when the server was not reached
 */
export const post = (url: string, body: BodyInit | null, init?: RequestInit): Promise<Response | null> =>
  fetch(url, { method: 'POST', headers: { accept: 'application/json' }, body, ...init }).catch(() => null);
