import { expect, it } from 'vitest';
import { statusForScripts } from './refusal-status.ts';

const request = (dest?: string) =>
  new Request('http://localhost/buyer/login.data', { headers: dest ? { 'sec-fetch-dest': dest } : {} });
const answer = (status: number, headers: Record<string, string> = { 'x-remix-response': 'yes' }) =>
  new Response('refused', { status, headers });

it.each([400, 401, 403, 404, 422, 429])(
  'a refusal with %i becomes a 200 for requests of our own scripts',
  async (status) => {
    const headers = {
      'x-remix-response': 'yes',
      'retry-after': '50',
      'set-cookie': 'acre-reset=; Max-Age=0',
    };
    const plain = statusForScripts(answer(status, headers), request('empty'));
    expect(plain.status).toBe(200);
    expect(await plain.text()).toBe('refused');
    expect(Object.fromEntries(plain.headers)).toMatchObject(headers);
  },
);

it.each([undefined, 'document'])('a refusal keeps its status for sec-fetch-dest %s', (dest) => {
  expect(statusForScripts(answer(403), request(dest)).status).toBe(403);
});

it('server errors, successes and responses of other handlers keep their status', () => {
  for (const status of [200, 202, 500, 503])
    expect(statusForScripts(answer(status), request('empty')).status).toBe(status);
  expect(statusForScripts(answer(405, {}), request('empty')).status).toBe(405);
});
