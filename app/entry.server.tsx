import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { isbot } from 'isbot';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router';
import { getScope } from './request.ts';
import { scriptsAfterPaint } from './scripts-after-paint.ts';

/** React's marker for a Suspense boundary that was not ready or failed. */
const UNFINISHED = '<!--$!-->';

/**
 * Renders a page: in one piece when all of its data is there, which costs half the work, otherwise as a stream. Crawlers
 * always get the complete page.
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
  const complete = await hasAllData(entry);
  let html = complete ? renderWhole(page) : null;
  if (complete && html === null) {
    renewStream(entry);
    await codeOf(page);
    renewStream(entry);
    html = renderWhole(page);
  }
  if (html !== null) {
    scope.page = Buffer.from(html);
    headers.set('content-length', String(scope.page.length));
    return new Response(null, { status, headers });
  }
  renewStream(entry);
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

/** An unfinished rendering has consumed the stream; its content is in renderMeta, from which the next one takes it. */
function renewStream(entry: EntryContext): void {
  if (entry.renderMeta?.streamCache && entry.serverHandoffStream)
    entry.serverHandoffStream = new ReadableStream();
}

/**
 * Waits for the code of parts that are loaded later, which a process has not before their first rendering. In a stream
 * such a part would follow the page, and only scripts could put it in its place. What fails is reported by that stream.
 */
const codeOf = (page: React.ReactElement): Promise<void> =>
  new Promise((resolve) => {
    renderToPipeableStream(page, {
      onAllReady: resolve,
      onShellError: () => resolve(),
      onError: () => undefined,
    });
  });

/** Null when something was not ready or failed; the page is then rendered again as a stream, which waits and reports. */
function renderWhole(page: React.ReactElement): string | null {
  try {
    const html = renderToString(page);
    return html.includes(UNFINISHED) ? null : `<!DOCTYPE html>${scriptsAfterPaint(html)}`;
  } catch {
    return null;
  }
}

/** In the HTML they come after all preloads; listed in a Link header they are requested first. */
const styleSheets = ({ manifest, staticHandlerContext }: EntryContext): Set<string> =>
  new Set(staticHandlerContext.matches.flatMap(({ route }) => manifest.routes[route.id]?.css ?? []));

/**
 * Whether every loader's data is there and none was deferred. The data that was read is handed to the router through
 * `renderMeta`, so that rendering its scripts at the end of the page never suspends.
 */
async function hasAllData(entry: EntryContext): Promise<boolean> {
  const stream = entry.serverHandoffStream;
  if (!stream) return true;
  const reader = stream.getReader();
  const first = await reader.read();
  const next = reader.read();
  const end = await Promise.race([next, setImmediate(null)]);
  if (first.done || end?.done) {
    reader.releaseLock();
    const text = new TextDecoder().decode(first.value);
    entry.renderMeta = { streamCache: { 0: resolvedRead(text, false), 1: resolvedRead('', true) } };
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

const resolvedRead = (value: string, done: boolean) =>
  Object.assign(Promise.resolve(), { result: { done, value } });
