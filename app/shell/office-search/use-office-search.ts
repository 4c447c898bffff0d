import { useEffect, useState } from 'react';
import { type FoundRecord, MIN_LETTERS } from '#features/office-search/model.ts';
import { adminPaths } from '#routing/admin-paths.ts';

/** What the search for a text has come to. */
export type SearchState =
  | { state: 'blank' | 'searching' | 'failed' }
  | { state: 'found'; records: FoundRecord[] };

const PAUSE_MS = 120;
const BLANK: SearchState = { state: 'blank' };

/** Searches shortly after the last letter was typed; `retry` searches for the same text again. */
export function useOfficeSearch(text: string): { result: SearchState; retry: () => void } {
  const [result, setResult] = useState<SearchState>(BLANK);
  const [attempt, setAttempt] = useState(0);
  const q = text.trim();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt searches again
  useEffect(() => {
    if (q.length < MIN_LETTERS) return setResult(BLANK);
    // What was found stays until the next answer.
    setResult((before) => (before.state === 'found' ? before : { state: 'searching' }));
    const abort = new AbortController();
    const pause = setTimeout(() => {
      fetch(adminPaths.search(q), { signal: abort.signal })
        .then((response) => {
          if (!response.ok) throw new Error(`the search answered ${response.status}`);
          return response.json() as Promise<FoundRecord[]>;
        })
        .then(
          (records) => setResult({ state: 'found', records }),
          () => abort.signal.aborted || setResult({ state: 'failed' }),
        );
    }, PAUSE_MS);
    return () => {
      clearTimeout(pause);
      abort.abort();
    };
  }, [q, attempt]);
  return { result, retry: () => setAttempt(attempt + 1) };
}
