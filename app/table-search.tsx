import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { Form, Link, type Location, useSearchParams, useSubmit } from 'react-router';
import { Button } from '#ui/button.tsx';
import { type PageSize, pageSizeFrom } from '#ui/page-sizes.ts';
import { SearchField } from '#ui/search-field.tsx';
import { useDestination, useIsFollowingLink } from '#ui/use-destination.ts';

interface Props {
  label: string;
  /** URL of the table, without a query */
  action: string;
  q: string;
  /** the current sort order as in the URL */
  sort: string | undefined;
  /** other parameters of the URL that a search leaves as they are */
  keep?: Readonly<Record<string, string | undefined>>;
  /** where 'Clear' leads; `action` by default */
  clearHref?: string;
  /** searches while it is being typed, a moment after the last key */
  live?: boolean;
  /** more fields that narrow the list; named here, not in `keep` */
  children?: ReactNode;
  /** one of them does, so that there is something to clear */
  narrowed?: boolean;
}

/** How long nothing is typed before a search begins, in milliseconds. */
const PAUSE_MS = 300;

/** Searches a table by a GET form, so that the result can be shared and no JavaScript is needed. */
export function TableSearch({
  label,
  action,
  q,
  sort,
  keep = {},
  clearHref = action,
  live,
  children,
  narrowed,
}: Props) {
  const submit = useSubmit();
  const destination = useDestination();
  const isFollowingLink = useIsFollowingLink();
  const size = pageSizeFrom(useSearchParams()[0].get('size'));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  // What is being typed stays when an earlier search arrives.
  useEffect(() => {
    if (field.current && field.current !== document.activeElement) field.current.value = q;
  }, [q]);
  const searchSoon = ({ currentTarget: form }: FormEvent<HTMLFormElement>) => {
    const list = listOf(destination());
    const searchAfterPause = () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        // A link that was pressed in the pause leads elsewhere.
        if (listOf(destination()) !== list) return;
        // The form does not know the order yet that was chosen.
        if (isFollowingLink()) searchAfterPause();
        else void submit(form, { replace: true, preventScrollReset: true });
      }, PAUSE_MS);
    };
    searchAfterPause();
  };
  return (
    <Form
      action={action}
      role="search"
      className="table-search"
      preventScrollReset
      onInput={live ? searchSoon : undefined}
      onSubmit={() => clearTimeout(timer.current)}
    >
      <SearchField
        label={label}
        name="q"
        {...(live ? { ref: field } : { key: q })}
        defaultValue={q}
        placeholder={label}
        maxLength={200}
      />
      {sort && <input type="hidden" name="sort" value={sort} />}
      {size && <input type="hidden" name="size" value={size} />}
      {Object.entries(keep).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
      <Button type="submit" variant="outline">
        Search
      </Button>
      {(q || narrowed) && (
        <Link className="link" to={withSize(clearHref, size)} preventScrollReset>
          Clear
        </Link>
      )}
    </Form>
  );
}

/** What a URL shows, in whatever order. */
function listOf({ pathname, search }: Location): string {
  const params = new URLSearchParams(search);
  params.delete('sort');
  return `${pathname}?${params}`;
}

/** The same list with the rows on a page that were chosen. */
function withSize(href: string, size: PageSize | null): string {
  if (size === null || /[?&]size=/.test(href)) return href;
  return `${href}${href.includes('?') ? '&' : '?'}size=${size}`;
}
