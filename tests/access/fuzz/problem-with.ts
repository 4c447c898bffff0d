import { testConfig } from '#tests/support/fixtures/context.ts';
import type { RawResponse } from '#tests/support/server/raw-request.ts';
import { INJECTED_HEADER, MARKUP } from './hostile-input.ts';

/** What a response must never leak: stack traces, our file paths, database messages. */
const LEAK_PATTERN =
  /\n\s+at (?:async )?\S+ \(|node_modules|file:\/\/\/(?!etc)|\/build\/server\/|\.tsx?:\d+:\d+|syntax error at|invalid input syntax|violates|duplicate key|relation "|column "|invalid byte sequence|unsupported Unicode|out of range for type|PostgresError|kysely/i;

/** What is wrong with a response sent to a stranger; null when nothing is. */
export function problemWith(
  { status, headers, body }: Pick<RawResponse, 'status' | 'headers' | 'body'>,
  { origin }: { origin: string },
): string | null {
  // A provider without keys: its messages cannot be verified.
  const notSetUp = status === 503 && body === '{"error":"Not set up"}';
  if (status >= 500 && !notSetUp) return `status ${status}: ${body.slice(0, 300)}`;
  if (LEAK_PATTERN.test(body)) return `reveals its internals: ${LEAK_PATTERN.exec(body)?.[0]}`;
  if (INJECTED_HEADER in headers) return 'a header was injected';
  // What Node's parser rejects never becomes a request: it gets a bare response without a body.
  const reached = headers['x-request-id'] !== undefined;
  if (!reached)
    return [0, 400, 408, 413, 417, 431].includes(status) && body === ''
      ? null
      : `bare ${status}: ${body.slice(0, 200)}`;
  for (const name of [
    'content-security-policy',
    'x-content-type-options',
    'x-frame-options',
    'referrer-policy',
  ])
    if (headers[name] === undefined) return `${status} without ${name}`;
  if (/text\/html/.test(headers['content-type'] ?? '') && body.includes(MARKUP))
    return 'markup came back as markup';
  const { location } = headers;
  const host = location && URL.canParse(location, origin) ? new URL(location, origin).host : null;
  // Purchases that were prepared for the tests lead to the sandbox under the address of their context.
  if (host !== null && host !== new URL(origin).host && host !== new URL(testConfig.publicUrl).host)
    return `redirects to ${location}`;
  return null;
}
