import { Link } from 'react-router';
import { type PropertiesQuery, paths } from '#app/paths.ts';
import { formatTotal } from '../model.ts';

interface Props {
  total: number;
  capped: boolean;
  /** the words that were searched instead of the typed ones */
  correctedTo: string | null;
  query: PropertiesQuery;
}

/** True when anything narrows the list. */
export const isFiltered = ({ type, q, min, max, beds, baths, bbox }: PropertiesQuery): boolean =>
  Boolean(type || q || min || max || beds || baths || bbox);

/** How many were found, what was searched instead of a misspelling, and the way back to everything. */
export function FoundLine({ total, capped, correctedTo, query }: Props) {
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
