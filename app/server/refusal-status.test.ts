import { expect, it } from 'vitest';
import { statusForScripts } from './refusal-status.ts';

const asked = (dest?: string) =>
  new Request('http://localhost/buyer/login.data', { headers: dest ? { 'sec-fetch-dest': dest } : {} });
const answer = (status: number, headers: Record<string, string> = { 'x-remix-response': 'yes' }) =>
  new Response('refused', { status, headers });

it.each([400, 401, 403, 404, 422, 429])(
  'a refusal with %i is an ordinary answer to our scripts',
  async (status) => {
    const headers = {
      'x-remix-response': 'yes',
      'retry-after': '50',
      'set-cookie': 'acre-reset=; Max-Age=0',
    };
    const plain = statusForScripts(answer(status, headers), asked('empty'));
    expect(plain.status).toBe(200);
    expect(await plain.text()).toBe('refused');
    expect(Object.fromEntries(plain.headers)).toMatchObject(headers);
  },
);

it.each([undefined, 'document'])('it keeps its status for %s', (dest) => {
  expect(statusForScripts(answer(403), asked(dest)).status).toBe(403);
});

it('faults, other answers and those of other hands stay as they are', () => {
  for (const status of [200, 202, 500, 503])
    expect(statusForScripts(answer(status), asked('empty')).status).toBe(status);
  expect(statusForScripts(answer(405, {}), asked('empty')).status).toBe(405);
});
