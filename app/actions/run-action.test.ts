import { RouterContextProvider } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import { type RequestScope, requestScope } from '#app/request.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { BadRequest, Forbidden, TooManyRequests } from '#platform/errors.ts';
import { conflict, invalid, redirectWithToast, runAction, wantsJson } from './run-action.ts';

const log = { warn: vi.fn(), error: vi.fn() };

function post(fields: Record<string, string>, init: { path?: string; accept?: string } = {}) {
  const context = new RouterContextProvider();
  context.set(requestScope, { ctx: { log }, sessionId: null } as unknown as RequestScope);
  const request = new Request(`http://localhost${init.path ?? '/page'}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    ...(init.accept && { headers: { accept: init.accept } }),
  });
  return { request, context };
}

/** The action data and its status, where the page stays. */
async function answered(work: ReturnType<typeof runAction>) {
  const result = await work;
  if (result instanceof Response) throw new Error(`The action answered ${result.status}`);
  return { data: result.data, status: result.init?.status, headers: result.init?.headers };
}

const failing = (error: unknown) => ({
  intents: { save: () => Promise.reject(error) },
  messages: { title: 'Not saved', failed: 'Please try again.' },
});

describe('the intent', () => {
  const intents = {
    save: async () => ({ ok: true as const, toast: { title: 'Saved' } }),
    remove: async () => ({ ok: true as const, toast: { title: 'Removed' } }),
  };

  it('chooses the handler', async () => {
    const { data, status } = await answered(runAction(post({ intent: 'remove' }), { intents }));
    expect({ data, status }).toEqual({
      data: { intent: 'remove', ok: true, toast: { title: 'Removed' } },
      status: 200,
    });
  });

  it.each(['', 'other', 'toString', '__proto__'])('%j is nobody’s: a bad request', async (intent) => {
    await expect(runAction(post({ intent }), { intents })).rejects.toThrow(BadRequest);
  });

  it.each<Record<string, string>>([
    { intent: 'save', text: 'A\0B' },
    { intent: 'save', 'name\0': 'A' },
  ])('is nothing where the form is %j: nobody types NUL', async (fields) => {
    await expect(runAction(post(fields), { intents })).rejects.toThrow(BadRequest);
  });

  it('falls back where the page names one', async () => {
    const { data } = await answered(runAction(post({}), { intents, fallback: 'save' }));
    expect(data.intent).toBe('save');
  });
});

describe('a refusal', () => {
  it('of fields is a 422 with what was typed, but for what is not to be kept', async () => {
    const result = await answered(
      runAction(post({ intent: 'save', email: 'me', password: 'secret' }), {
        intents: { save: async () => invalid({ email: 'Not an address' }) },
        preserve: ['email', 'name'],
      }),
    );
    expect(result).toMatchObject({
      status: 422,
      data: { intent: 'save', ok: false, errors: { email: 'Not an address' }, input: { email: 'me' } },
    });
    expect(result.data).not.toHaveProperty('toast');
    expect(result.data.input).toEqual({ email: 'me' });
  });

  it('by what has changed is a 409 with a toast under the page’s title', async () => {
    const { data, status } = await answered(
      runAction(post({ intent: 'save' }), { intents: { save: async () => conflict('It is sold.') } }),
    );
    expect({ data, status }).toEqual({
      data: { intent: 'save', ok: false, toast: { title: 'Error', text: 'It is sold.', tone: 'bad' } },
      status: 409,
    });
  });

  it('is answered by an endpoint in its own way', async () => {
    const answer = await runAction(post({ intent: 'save' }), {
      ...failing(new TooManyRequests(7)),
      respond: ({ toast }, { scripted }, init) => Response.json({ text: toast?.text, scripted }, init),
    });
    if (!(answer instanceof Response)) throw new Error('No response');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await answer.json()).toEqual({ text: new TooManyRequests(7).message, scripted: false });
  });
});

describe('a fault', () => {
  it('by a rate limit is a 429 with retry-after', async () => {
    const { data, status, headers } = await answered(
      runAction(post({ intent: 'save' }), failing(new TooManyRequests(30))),
    );
    expect([status, headers]).toEqual([429, { 'retry-after': '30' }]);
    expect(data.toast).toEqual({ title: 'Not saved', text: new TooManyRequests(30).message, tone: 'bad' });
  });

  it('of the payment provider is a 503', async () => {
    const work = runAction(post({ intent: 'save' }), failing(new PaymentError('unavailable', 'down')));
    const { data, status } = await answered(work);
    expect(status).toBe(503);
    expect(data.toast?.text).toBe('The payment provider is not responding. Please try again.');
  });

  it('that nobody expected is logged, and a 500 with the page’s text', async () => {
    const error = new Error('secret detail');
    const { data, status } = await answered(runAction(post({ intent: 'save' }), failing(error)));
    expect(status).toBe(500);
    expect(data.toast).toEqual({ title: 'Not saved', text: 'Please try again.', tone: 'bad' });
    expect(log.error).toHaveBeenCalledWith({ err: error, intent: 'save' }, expect.any(String));
  });

  it('is the error page’s where the page has no text for it, and where permission is missing', async () => {
    const error = new Error('broken');
    const { intents } = failing(error);
    await expect(runAction(post({ intent: 'save' }), { intents })).rejects.toBe(error);
    const forbidden = new Forbidden();
    await expect(runAction(post({ intent: 'save' }), failing(forbidden))).rejects.toBe(forbidden);
  });
});

it('redirects with the cookies and the toast', () => {
  const answer = redirectWithToast('/there', { title: 'Done' }, { cookies: ['a=1'], status: 303 });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/there']);
  expect(answer.headers.getSetCookie()).toEqual(['a=1', expect.stringContaining('acre-flash=')]);
});

it.each([
  ['application/json', '/page', true],
  ['text/html', '/page.data', true],
  ['text/html,*/*', '/page', false],
])('a request that accepts %s at %s comes from a script: %s', (accept, path, scripted) => {
  expect(wantsJson(post({}, { accept, path }).request)).toBe(scripted);
});
