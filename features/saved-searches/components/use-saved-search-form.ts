import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useFetcher, useRevalidator } from 'react-router';
import { paths } from '#routing/paths.ts';
import type { ActionData } from '#ui/action-data.ts';

/**
 * Submits a saved search form without leaving the page; its route shows the result in a toast.
 * @param done called once after each successful submission, and by `close`
 */
export function useSavedSearchForm(done?: () => void) {
  const fetcher = useFetcher<ActionData>();
  const { revalidate } = useRevalidator();
  const { data } = fetcher;
  const [dismissed, setDismissed] = useState<ActionData>();
  const answer = fetcher.state === 'idle' && data !== dismissed ? data : undefined;
  const newest = useRef(done);
  newest.current = done;
  useEffect(() => {
    if (!data) return;
    if (data.ok) newest.current?.();
    // The router does not read the page again after a refusal, but it was refused because the page is out of date. What could not
    // be sent comes back with its input, and reading the page could fail as well.
    else if (data.toast && !data.input) void revalidate();
  }, [data, revalidate]);
  const send = (form: FormData) =>
    void fetcher.submit(form, { method: 'post', action: paths.savedSearches() });
  return {
    errors: answer?.errors,
    /** why the whole form was refused */
    refused: answer?.ok === false ? answer.toast?.text : undefined,
    busy: fetcher.state !== 'idle',
    send,
    /** Leaves the form, which says nothing of a refusal when it is opened again. */
    close: () => {
      setDismissed(data);
      done?.();
    },
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      if (fetcher.state === 'idle') send(new FormData(event.currentTarget));
    },
  };
}
