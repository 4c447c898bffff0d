/**
 * Turns a 4xx response to a request of our own scripts into a 200. The refusal itself is in the body, and the page shows
 * it; the status would only log an error in the console of everyone who mistypes a password. API clients and document
 * requests get the real status, and server errors are never hidden.
 */
export function statusForScripts(answer: Response, request: Request): Response {
  const refused = answer.status >= 400 && answer.status < 500;
  const fromScript =
    request.headers.get('sec-fetch-dest') === 'empty' && answer.headers.has('x-remix-response');
  if (!refused || !fromScript) return answer;
  return new Response(answer.body, { status: 200, headers: answer.headers });
}
