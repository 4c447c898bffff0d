import { createElement } from 'react';
import { data, redirect, useActionData } from 'react-router';
import { expect, it } from 'vitest';
import { looksOfSubmissions } from '#tests/support/react/submissions.ts';
import { PROOF } from '../model.ts';
import { ProofDialog } from './proof-dialog.tsx';

const Page = () => createElement(ProofDialog, { answer: useActionData<unknown>() });
const asked = (errors?: object) =>
  data({
    ok: false,
    proof: { form: 'sealed', action: '/', choices: { code: false, passkey: null }, errors },
  });
const busy = /<button type="submit"[^>]*aria-busy="true"/;

it('can be confirmed again as soon as a proof was refused, and waits while a repeated form is carried out', async () => {
  const proof = { [PROOF.form]: 'sealed', [PROOF.password]: 'typed' };
  const looks = await looksOfSubmissions(createElement(Page), [
    { fields: { intent: 'delete' }, answer: () => asked() },
    { fields: proof, answer: () => asked({ password: 'That is not your password.' }) },
    { fields: proof, answer: () => redirect('/') },
  ]);
  expect(looks.map((ofForm) => ofForm.map(({ state, html }) => `${state}: ${busy.test(html)}`))).toEqual([
    ['submitting: false', 'loading: false', 'idle: false'],
    ['submitting: true', 'loading: false', 'idle: false'],
    ['submitting: true', 'loading: true', 'idle: false'],
  ]);
  expect(looks[1]?.[1]?.html).toContain('That is not your password.');
});
