import { UNSAFE_ErrorResponseImpl as ErrorAnswer, redirect } from 'react-router';
import { expect, it } from 'vitest';
import { NOT_SAVED, preserveInput, textFields } from './preserve-input.ts';

const sent = (
  answer: () => Promise<unknown>,
  refusalsLeave = false,
  toast: Parameters<typeof preserveInput>[1]['toast'] = NOT_SAVED,
) =>
  preserveInput(
    {
      request: new Request('http://localhost/page', {
        method: 'POST',
        body: new URLSearchParams({ intent: 'close', resolution: 'It was paid.', other: '1' }),
      }),
      serverAction: answer,
    },
    { inputOf: textFields('resolution', 'missing'), toast, refusalsLeave },
  );

const lost = () => Promise.reject(new TypeError('Failed to fetch'));

const kept = {
  data: {
    intent: 'close',
    ok: false,
    toast: { tone: 'bad', ...NOT_SAVED },
    input: { resolution: 'It was paid.' },
  },
  init: { status: 503 },
};

it('hands on what the server answers', async () => {
  await expect(sent(async () => 'done')).resolves.toBe('done');
});

it('keeps what was typed when the connection is lost or the server fails', async () => {
  const failed = () => Promise.reject(new ErrorAnswer(500, 'Internal Server Error', null));
  await expect(sent(lost, true)).resolves.toMatchObject(kept);
  await expect(sent(failed, true)).resolves.toMatchObject(kept);
});

it('keeps no field that the form does not have', async () => {
  await expect(sent(lost)).resolves.toHaveProperty('data.input', { resolution: 'It was paid.' });
});

it('says what its form could not do', async () => {
  const words = (intent: string) => ({ title: `Not done: ${intent}` });
  await expect(sent(lost, true, words)).resolves.toHaveProperty('data.toast', {
    tone: 'bad',
    title: 'Not done: close',
  });
});

it('keeps it after a refusal too, unless the error page is to answer it', async () => {
  const refusal = new ErrorAnswer(403, 'Forbidden', null);
  const refused = () => Promise.reject(refusal);
  await expect(sent(refused)).resolves.toMatchObject(kept);
  await expect(sent(refused, true)).rejects.toBe(refusal);
});

it('lets a redirect pass', async () => {
  const elsewhere = redirect('/elsewhere');
  await expect(sent(() => Promise.reject(elsewhere))).rejects.toBe(elsewhere);
});
