import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { isbot } from 'isbot';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router';
import { getScope } from './request.ts';

/** React's mark for a part that was not ready, or failed, while all else was rendered. */
const UNFINISHED = '<!--$!-->';

/**
 * Renders a page: in one piece when all of its data is there, which takes half of the work, else as it comes. Robots
 * always get it whole.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> {
  const scope = getScope(context);
  const { ctx, nonce } = scope;
  headers.set('content-type', 'text/html; charset=utf-8');
  for (const href of styleSheets(entry)) headers.append('link', `<${href}>; rel=preload; as=style`);
  const page = <ServerRouter context={entry} url={request.url} nonce={nonce} />;
  const html = (await holdsAllData(entry)) ? renderWhole(page) : null;
  if (html !== null) {
    scope.page = Buffer.from(html);
    headers.set('content-length', String(scope.page.length));
    return new Response(null, { status, headers });
  }
  // A first rendering that was not finished has taken the stream's reader; what the stream held stands in renderMeta.
  if (entry.renderMeta && entry.serverHandoffStream) entry.serverHandoffStream = new ReadableStream();
  return new Promise((resolve, reject) => {
    let failed = false;
    const robot = isbot(request.headers.get('user-agent'));
    const send = () => {
      const body = Readable.toWeb(stream.pipe(new PassThrough())) as ReadableStream;
      resolve(new Response(body, { status: failed ? 500 : status, headers }));
    };
    const stream = renderToPipeableStream(page, {
      nonce,
      [robot ? 'onAllReady' : 'onShellReady']: send,
      onShellError: reject,
      onError(error) {
        if (request.signal.aborted) return;
        failed = true;
        ctx.log.error({ err: error }, 'rendering failed');
      },
    });
    request.signal.addEventListener('abort', () => stream.abort(request.signal.reason), { once: true });
  });
}

/** Null when something was not ready or failed: then the page is rendered again as a stream, which waits and reports. */
function renderWhole(page: React.ReactElement): string | null {
  try {
    const html = renderToString(page);
    return html.includes(UNFINISHED) ? null : `<!DOCTYPE html>${scriptsLast(html)}`;
  } catch {
    return null;
  }
}

/** In the page they stand behind all preloads; named in its headers they are asked for first. */
const styleSheets = ({ manifest, staticHandlerContext }: EntryContext): Set<string> =>
  new Set(staticHandlerContext.matches.flatMap(({ route }) => manifest.routes[route.id]?.css ?? []));

/** Scripts wait for what is seen: on a slow line the page is painted a second earlier. */
const scriptsLast = (html: string): string =>
  html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');

/**
 * Whether every loader's data is there and none was deferred. What was read of it stands ready for the router's
 * scripts at the end of the page, so that rendering them never waits.
 */
async function holdsAllData(entry: EntryContext): Promise<boolean> {
  const stream = entry.serverHandoffStream;
  if (!stream) return true;
  const reader = stream.getReader();
  const first = await reader.read();
  const next = reader.read();
  const end = await Promise.race([next, setImmediate(null)]);
  if (first.done || end?.done) {
    reader.releaseLock();
    const text = new TextDecoder().decode(first.value);
    entry.renderMeta = { streamCache: { 0: arrived(text, false), 1: arrived('', true) } };
    return true;
  }
  entry.serverHandoffStream = new ReadableStream({
    async start(controller) {
      controller.enqueue(first.value);
      for (let part = await next; !part.done; part = await reader.read()) controller.enqueue(part.value);
      controller.close();
    },
  });
  return false;
}

const arrived = (value: string, done: boolean) =>
  Object.assign(Promise.resolve(), { result: { done, value } });
