import { useEffect, useRef, useState } from 'react';
import { useFetcher, useLocation } from 'react-router';

/** How many lists keep what was loaded in addition, for when somebody comes back to them. */
const MAX_REMEMBERED = 20;
const remembered = new Map<string, readonly unknown[]>();

function remember(key: string, pages: readonly unknown[]): void {
  remembered.delete(key);
  remembered.set(key, pages);
  for (const oldest of [...remembered.keys()].slice(0, -MAX_REMEMBERED)) remembered.delete(oldest);
}

interface MorePages<Page> {
  /** the pages after the one in the URL, in their order */
  more: readonly Page[];
  load: (href: string) => void;
  busy: boolean;
  /** the last one could not be loaded */
  failed: boolean;
}

/**
 * Loads further pages of a list below the one in the URL. Coming back to the list finds them again.
 * @param pageOf what a page's loader returned, as a page of the list; null when reading it failed
 */
export function useMorePages<Data, Page>(pageOf: (data: Data) => Page | null): MorePages<Page> {
  const { key } = useLocation();
  const { data, state, load } = useFetcher({ key: `more ${key}` });
  // The router also loads again what a fetcher has loaded, after every action.
  const asked = useRef(false);
  const [loaded, setLoaded] = useState<{ key: string; pages: readonly Page[] } | null>(null);
  const [failed, setFailed] = useState(false);
  const pages = loaded?.key === key ? loaded.pages : ((remembered.get(key) ?? []) as readonly Page[]);
  useEffect(() => {
    if (!asked.current || state !== 'idle' || data === undefined) return;
    asked.current = false;
    const page = pageOf(data as Data);
    setFailed(page === null);
    if (page === null) return;
    const all = [...pages, page];
    remember(key, all);
    setLoaded({ key, pages: all });
  });
  return {
    more: pages,
    load(href) {
      asked.current = true;
      void load(href);
    },
    busy: state !== 'idle',
    failed,
  };
}
