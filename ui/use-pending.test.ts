import { createElement } from 'react';
import { data, redirect } from 'react-router';
import { expect, it } from 'vitest';
import { looksOfSubmissions } from '#tests/support/react/submissions.ts';
import { usePendingForm } from './use-pending.ts';

const Page = () => (usePendingForm('save') ? 'pending' : 'not pending');

/** How the page looks while it is answered so, answer by answer. */
async function looksOf(answers: readonly (() => unknown)[], intent = 'save') {
  const sent = answers.map((answer) => ({ fields: { intent }, answer }));
  const looks = await looksOfSubmissions(createElement(Page), sent);
  return looks.map((ofForm) => ofForm.map(({ state, html }) => `${state}: ${html}`));
}

const done = ['submitting: pending', 'loading: pending', 'idle: not pending'];
const refusal = () => data({ intent: 'save', ok: false });

it('is over with a refusal, also while the page is read again', async () => {
  const refused = ['submitting: pending', 'loading: not pending', 'idle: not pending'];
  expect(await looksOf([refusal, refusal])).toEqual([refused, refused]);
});

it('lasts until the page has been read after a success', async () => {
  expect(await looksOf([() => data({ intent: 'save', ok: true })])).toEqual([done]);
});

it('lasts while a redirect is followed, also after a refusal', async () => {
  const [, sentAgain] = await looksOf([refusal, () => redirect('/')]);
  expect(sentAgain).toEqual(done);
});

it('is nothing to other forms of the page', async () => {
  expect(await looksOf([refusal], 'delete')).toEqual([
    ['submitting: not pending', 'loading: not pending', 'idle: not pending'],
  ]);
});
