/**
 * The status of a refusal where our own scripts asked, for a form or a page of theirs. The refusal itself stands in the
 * answer, and the page shows it; a status of 400 and above would only be reported as a failure in the console of everyone
 * who mistypes a password. Programs and browsers that load a document get it as it is, and faults are never hidden.
 */
export function statusForScripts(answer: Response, request: Request): Response {
  const refused = answer.status >= 400 && answer.status < 500;
  const scripted =
    request.headers.get('sec-fetch-dest') === 'empty' && answer.headers.has('x-remix-response');
  if (!refused || !scripted) return answer;
  return new Response(answer.body, { status: 200, headers: answer.headers });
}
