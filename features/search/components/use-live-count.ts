import { type RefObject, useEffect, useState } from 'react';
import type { PropertiesQuery } from '#routing/paths.ts';
import { searchPaths } from '#routing/search-paths.ts';
import { queryOfFields } from './form-query.ts';
import type { SearchCountJson } from './search-count-json.ts';

/** How long the fields rest before they are counted, in milliseconds. */
const PAUSE_MS = 200;

/**
 * How many properties match what the fields of the form around `inside` say now; null until one changes, and when it cannot be found out.
 * While they are `counting`, that is the number of what they said before.
 * @param query the query of the list
 */
export function useLiveCount(
  inside: RefObject<HTMLElement | null>,
  query: PropertiesQuery,
): { count: SearchCountJson | null; counting: boolean } {
  const [count, setCount] = useState<SearchCountJson | null>(null);
  const [counting, setCounting] = useState(false);
  useEffect(() => {
    const form = inside.current?.closest('form');
    let pause: ReturnType<typeof setTimeout> | undefined;
    let abort = new AbortController();
    const ask = () => {
      if (!form) return;
      abort = new AbortController();
      const { signal } = abort;
      fetch(searchPaths.count(queryOfFields(new FormData(form), query)), { signal })
        .then((response) => (response.ok ? (response.json() as Promise<SearchCountJson>) : null))
        // The count is a convenience: without it the button still shows the properties.
        .then(setCount, () => signal.aborted || setCount(null))
        .then(() => signal.aborted || setCounting(false));
    };
    const stop = () => {
      clearTimeout(pause);
      abort.abort();
    };
    const onInput = () => {
      stop();
      setCounting(true);
      pause = setTimeout(ask, PAUSE_MS);
    };
    form?.addEventListener('input', onInput);
    return () => {
      stop();
      setCounting(false);
      form?.removeEventListener('input', onInput);
    };
  }, [inside, query]);
  return { count, counting };
}
