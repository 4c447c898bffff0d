import { type FormEvent, useEffect, useRef } from 'react';
import { useFetcher } from 'react-router';
import { toast } from '#ui/toast.ts';
import type { SavedSearchAnswer } from '../model.ts';

/**
 * How a form about saved searches is sent from the page it stands on, which then shows what came of it.
 * @param done called once for each form that did what it was for
 */
export function useAnswer(done?: () => void) {
  const fetcher = useFetcher<SavedSearchAnswer>();
  const { data } = fetcher;
  const newest = useRef(done);
  newest.current = done;
  useEffect(() => {
    if (!data) return;
    if (data.toast) toast(data.toast);
    if (data.ok) newest.current?.();
  }, [data]);
  const send = (form: HTMLFormElement) => {
    const body = new FormData(form);
    body.set('scripted', '1');
    void fetcher.submit(body, { method: 'post', action: form.getAttribute('action') ?? undefined });
  };
  return {
    errors: fetcher.state === 'idle' ? data?.errors : undefined,
    busy: fetcher.state !== 'idle',
    send,
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      if (fetcher.state === 'idle') send(event.currentTarget);
    },
  };
}
