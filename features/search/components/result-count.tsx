import { Link } from 'react-router';
import { type PropertiesQuery, paths } from '#routing/paths.ts';
import { X } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { formatTotal } from '../model.ts';

interface Props {
  total: number;
  capped: boolean;
  /** the corrected search text; null if it was not corrected */
  correctedTo: string | null;
  /** parts of the text that filter or order the list, with the text without each */
  understood: readonly { label: string; without: string }[];
  query: PropertiesQuery;
}

/** True if any filter is set. */
export const isFiltered = ({ type, q, min, max, beds, baths, bbox }: PropertiesQuery): boolean =>
  Boolean(type || q || min || max || beds || baths || bbox);

/** The number of results and where they are, a spelling correction if one was made, and the ways to more of them. */
export function ResultCount({ total, capped, correctedTo, understood, query }: Props) {
  return (
    <>
      <p className="found" role="status">
        {correctedTo && <strong>{`Showing results for ${correctedTo}`}</strong>}
        <span>{`${formatTotal({ total, capped })} ${total === 1 ? 'property' : 'properties'}${query.bbox ? ' in this map area' : ''}`}</span>
        {query.bbox && (
          <Link className="link" to={paths.properties({ ...query, bbox: undefined, page: undefined })}>
            Search everywhere
          </Link>
        )}
        {isFiltered({ ...query, bbox: undefined }) && (
          <Link className="link" to={paths.properties({ sort: query.sort, map: query.map })}>
            Clear filters
          </Link>
        )}
      </p>
      {(understood.length > 0 || query.words) && <Understood understood={understood} query={query} />}
    </>
  );
}

/** What was read out of the text, each part with the way to do without it, and the text as nothing but words. */
function Understood({ understood, query }: Pick<Props, 'understood' | 'query'>) {
  const to = (change: PropertiesQuery) => paths.properties({ ...query, ...change, page: undefined });
  return (
    <p className="understood">
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
      <Link className="link" to={to({ words: query.words ? undefined : '1' })} preventScrollReset>
        {query.words ? 'Search for what the words mean' : 'Search for the words instead'}
      </Link>
    </p>
  );
}
