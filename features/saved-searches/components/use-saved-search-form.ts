import { type FormEvent, useEffect, useRef } from 'react';
import { useFetcher } from 'react-router';
import { paths } from '#routing/paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { toast } from '#ui/toast.ts';

/**
 * Submits a saved search form without leaving the page, and shows its result.
 * @param done called once after each successful submission
 */
export function useSavedSearchForm(done?: () => void) {
  const fetcher = useFetcher<ActionData>();
  const { data } = fetcher;
  const newest = useRef(done);
  newest.current = done;
  useEffect(() => {
    if (!data) return;
    if (data.toast) toast(data.toast);
    if (data.ok) newest.current?.();
  }, [data]);
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
