import { createElement } from 'react';
import { data, redirect, useActionData, useNavigation } from 'react-router';
import { expect, it } from 'vitest';
import { replayHook } from '#tests/support/react/replay-hook.ts';
import { looksOfSubmissions } from '#tests/support/react/submissions.ts';
import { usePendingForm } from '#ui/use-pending.ts';
import { useTaken } from './use-taken.ts';

type Upload = Parameters<typeof useTaken>[0];

/** Writes down what the router tells the form. */
function Page() {
  const { state } = useNavigation();
  const refused = useActionData<{ ok: boolean }>()?.ok === false;
  return btoa(JSON.stringify({ pending: usePendingForm('upload') !== null, state, refused }));
}

/** How many forms were taken after each of those that are sent and answered so. */
async function takenOf(...forms: readonly { answer: () => unknown; leaves?: boolean }[]) {
  const sent = forms.map((form) => ({ fields: { intent: 'upload' }, ...form }));
  const looks = await looksOfSubmissions(createElement(Page), sent);
  const steps = looks.map((ofForm) => ofForm.map(({ html }) => JSON.parse(atob(html)) as Upload));
  const counts = replayHook(steps.flat(), useTaken);
  let end = 0;
  return steps.map(({ length }) => {
    end += length;
    return counts[end - 1];
  });
}

const taken = () => redirect('/');
const refusal = () => data({ ok: false });

it('counts what was taken, and nothing that was refused', async () => {
  expect(await takenOf({ answer: taken }, { answer: taken })).toEqual([1, 2]);
  expect(await takenOf({ answer: refusal }, { answer: refusal }, { answer: taken })).toEqual([0, 0, 1]);
  expect(await takenOf({ answer: taken }, { answer: refusal })).toEqual([1, 1]);
});

it('counts what was taken also when something else is opened while the page is read again', async () => {
  expect(await takenOf({ answer: taken, leaves: true })).toEqual([1]);
  expect(await takenOf({ answer: refusal }, { answer: taken, leaves: true })).toEqual([0, 1]);
  expect(await takenOf({ answer: refusal, leaves: true })).toEqual([0]);
});

it('does not count what was given up before it was answered', () => {
  const steps: Upload[] = [
    { pending: true, state: 'submitting', refused: false },
    { pending: false, state: 'loading', refused: false },
    { pending: false, state: 'idle', refused: false },
  ];
  expect(replayHook(steps, useTaken)).toEqual([0, 0, 0]);
});

it('counts what was taken when the page shows only the end', () => {
  const steps: Upload[] = [
    { pending: true, state: 'submitting', refused: true },
    { pending: false, state: 'idle', refused: false },
  ];
  expect(replayHook(steps, useTaken)).toEqual([0, 1]);
});
