import { type FormEvent, useEffect, useRef } from 'react';
import { useFetcher, useRevalidator } from 'react-router';
import { paths } from '#routing/paths.ts';
import type { ActionData } from '#ui/action-data.ts';

/**
 * Submits a saved search form without leaving the page; its route shows the result in a toast.
 * @param done called once after each successful submission
 */
export function useSavedSearchForm(done?: () => void) {
  const fetcher = useFetcher<ActionData>();
  const { revalidate } = useRevalidator();
  const { data } = fetcher;
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
    errors: fetcher.state === 'idle' ? data?.errors : undefined,
    /** why the whole form was refused */
    refused: fetcher.state === 'idle' && data?.ok === false ? data.toast?.text : undefined,
    busy: fetcher.state !== 'idle',
    send,
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      if (fetcher.state === 'idle') send(new FormData(event.currentTarget));
    },
  };
}
