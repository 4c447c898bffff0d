import { isbot } from 'isbot';
import { renderToReadableStream } from 'react-dom/server';
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router';
import { getScope } from './request.ts';

/** Renders a page. Robots get it whole; people get it as it comes. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> {
  const { ctx, nonce } = getScope(context);
  let failed = false;
  const body = await renderToReadableStream(
    <ServerRouter context={entry} url={request.url} nonce={nonce} />,
    {
      nonce,
      signal: request.signal,
      onError(error) {
        if (request.signal.aborted) return;
        failed = true;
        ctx.log.error({ err: error }, 'rendering failed');
      },
    },
  );
  if (isbot(request.headers.get('user-agent'))) await body.allReady;
  headers.set('content-type', 'text/html; charset=utf-8');
  return new Response(body, { status: failed ? 500 : status, headers });
}
