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

/** The number of results, a spelling correction if one was made, and a link to clear the filters. */
export function ResultCount({ total, capped, correctedTo, query }: Props) {
  return (
    <p className="found" role="status">
      {correctedTo && <strong>{`Showing results for ${correctedTo}`}</strong>}
      <span>{`${formatTotal({ total, capped })} ${total === 1 ? 'property' : 'properties'}`}</span>
      {isFiltered(query) && (
        <Link className="link" to={paths.properties({ sort: query.sort, map: query.map })}>
          Clear filters
        </Link>
      )}
    </p>
  );
}
