import { Link } from 'react-router';
import { type PropertiesQuery, paths } from '#routing/paths.ts';
import { formatTotal } from '../model.ts';

interface Props {
  total: number;
  capped: boolean;
  /** the corrected search text; null if it was not corrected */
  correctedTo: string | null;
  query: PropertiesQuery;
}

/** True if any filter is set. */
export const isFiltered = ({ type, q, min, max, beds, baths, bbox }: PropertiesQuery): boolean =>
  Boolean(type || q || min || max || beds || baths || bbox);

/** The number of results and where they are, a spelling correction if one was made, and the ways to more of them. */
export function ResultCount({ total, capped, correctedTo, query }: Props) {
  return (
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
  );
}
