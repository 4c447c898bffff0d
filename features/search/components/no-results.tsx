import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type PropertiesQuery, paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatTotal } from '../model.ts';
import { isFiltered } from './result-count.tsx';

interface Props {
  query: PropertiesQuery;
  /** how many match outside of the map area; null when there is none in the search */
  elsewhere: { total: number; capped: boolean } | null;
  /** what a search finds that asks for less; null when none finds anything */
  relaxed: { said: string; href: string; total: number; capped: boolean } | null;
  /** saves the search */
  save: ReactNode;
  /** the first properties of the search that asks for less */
  children?: ReactNode;
}

/** An empty list, with what empties it and the way out, and below what almost matches. */
export function NoResults({ query, elsewhere, relaxed, save, children }: Props) {
  const hidden = elsewhere && elsewhere.total > 0 ? elsewhere : null;
  const [text, label, to] = hidden
    ? [
        outside(hidden),
        'Search everywhere',
        paths.properties({ ...query, bbox: undefined, area: undefined, page: undefined }),
      ]
    : ['', 'All Properties', paths.properties()];
  return (
    <>
      <EmptyState
        title="No properties available at the moment."
        text={
          isFiltered(query) ? (
            <>
              {text && <>{text} </>}
              Save this search to be notified when one is listed.
            </>
          ) : undefined
        }
        action={
          isFiltered(query) && (
            <div className="empty-actions">
              {save}
              <ButtonLink variant="outline" size="sm" to={to}>
                {label}
              </ButtonLink>
            </div>
          )
        }
      />
      {relaxed && (
        <section aria-labelledby="relaxed" className="relaxed">
          <div className="sect">
            <h2 id="relaxed">{relaxed.said}</h2>
            <Link className="link" to={relaxed.href}>
              {relaxed.total === 1 ? 'Show this search' : `Show all ${formatTotal(relaxed)} properties`}
            </Link>
          </div>
          {children}
        </section>
      )}
    </>
  );
}

const outside = (found: { total: number; capped: boolean }): string =>
  found.total === 1
    ? 'The search is limited to an area of the map. 1 property matches elsewhere.'
    : `The search is limited to an area of the map. ${formatTotal(found)} properties match elsewhere.`;
