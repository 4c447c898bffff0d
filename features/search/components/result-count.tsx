import { useEffect } from 'react';
import { Link } from 'react-router';
import { formatCount } from '#platform/format-count.ts';
import { type PropertiesQuery, paths } from '#routing/paths.ts';
import { X } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { formatTotal, type NamedPlace, type RangeName, rangeLabels } from '../model.ts';
import { filterChips } from './filter-chips.ts';
import { rememberSearch } from './recent-searches.ts';

interface Props {
  total: number;
  capped: boolean;
  /** the corrected search text; null if it was not corrected */
  correctedTo: string | null;
  /** parts of the text that filter or order the list, with the text without each */
  understood: readonly { label: string; without: string }[];
  /** whether the text can be searched for as nothing but words instead */
  hasMeaning: boolean;
  /** ranges that were typed with the lower bound above the upper one; the query has them in order */
  swapped: readonly RangeName[];
  /** what is wrong with the drawn area of the URL, in words; the query is without it */
  areaProblem: string | null;
  /** the places of the same name, when the text names several: all of them are in the list */
  namesakes: readonly NamedPlace[];
  /** their name, in words */
  named: string;
  query: PropertiesQuery;
}

/** True if any filter is set. */
export const isFiltered = (query: PropertiesQuery): boolean =>
  Boolean(query.type || query.q || query.bbox || query.area || filterChips(query).length > 0);

/** The number of results and where they are, a spelling correction if one was made, and the ways to more of them. */
export function ResultCount({
  total,
  capped,
  correctedTo,
  understood,
  hasMeaning,
  swapped,
  areaProblem,
  namesakes,
  named,
  query,
}: Props) {
  const everywhere = { ...query, bbox: undefined, area: undefined, page: undefined };
  useEffect(() => {
    if (query.q && total > 0) rememberSearch(query.q);
  }, [query.q, total]);
  return (
    <>
      <p className="found" role="status">
        {correctedTo && <strong>{`Showing results for ${correctedTo}`}</strong>}
        <span>{`${formatTotal({ total, capped })} ${total === 1 ? 'property' : 'properties'}${query.area ? ' in your drawn area' : query.bbox ? ' in this map area' : ''}`}</span>
        {areaProblem && <strong>{areaProblem}</strong>}
        {swapped.map((range) => (
          <strong key={range}>
            {`Your minimum ${rangeLabels[range]} was above your maximum, so we swapped them.`}
          </strong>
        ))}
        {(query.bbox || query.area) && (
          <Link className="link" to={paths.properties(everywhere)}>
            Search everywhere
          </Link>
        )}
        {isFiltered(everywhere) && (
          <Link className="link" to={paths.properties({ sort: query.sort, map: query.map })}>
            Clear filters
          </Link>
        )}
      </p>
      {namesakes.length > 0 && <Namesakes namesakes={namesakes} named={named} query={query} />}
      {(hasMeaning || query.words || filterChips(query).length > 0) && (
        <Understood understood={understood} hasMeaning={hasMeaning} query={query} />
      )}
    </>
  );
}

/** The places of one name, each with the way to it alone. */
function Namesakes({ namesakes, named, query }: Pick<Props, 'namesakes' | 'named' | 'query'>) {
  const name = new RegExp(named.split(' ').join(String.raw`[^\p{L}\p{N}]+`), 'iu');
  const typed = query.q ?? '';
  const alone = (label: string) => (name.test(typed) ? typed.replace(name, () => label) : label);
  return (
    <nav className="understood" aria-label="Places of this name">
      <span>Places of this name:</span>
      {namesakes.map(({ label, listings }) => (
        <Link
          key={label}
          className="chip"
          to={paths.properties({ ...query, q: alone(label), page: undefined })}
          preventScrollReset
        >
          {label}
          <small>{formatCount(listings)}</small>
        </Link>
      ))}
    </nav>
  );
}

/** The filters of the URL and what was read out of the text, each with the way to do without it, and the text as nothing but words. */
function Understood({ understood, hasMeaning, query }: Pick<Props, 'understood' | 'hasMeaning' | 'query'>) {
  const to = (change: PropertiesQuery) => paths.properties({ ...query, ...change, page: undefined });
  return (
    <p className="understood">
      {filterChips(query).map(({ label, without }) => (
        <Link key={label} className="chip" aria-label={`Remove ${label}`} to={to(without)} preventScrollReset>
          {label}
          <Icon of={X} size={14} />
        </Link>
      ))}
      {understood.map(({ label, without }) => (
        <Link
          key={label}
          className="chip"
          aria-label={`Remove ${label}`}
          to={to({ q: without || undefined })}
          preventScrollReset
        >
          {label}
          <Icon of={X} size={14} />
        </Link>
      ))}
      {(hasMeaning || query.words) && (
        <Link className="link" to={to({ words: query.words ? undefined : '1' })} preventScrollReset>
          {query.words ? 'Search for what the words mean' : 'Search for the words instead'}
        </Link>
      )}
    </p>
  );
}
