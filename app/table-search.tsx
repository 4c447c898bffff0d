import { Form, Link } from 'react-router';
import { Button } from '#ui/button.tsx';
import { SearchField } from '#ui/search-field.tsx';

interface Props {
  label: string;
  /** URL of the table, without a query */
  action: string;
  q: string;
  /** the current sort order as in the URL */
  sort: string | undefined;
}

/** Searches a table by a GET form, so that the result can be shared and no JavaScript is needed. */
export function TableSearch({ label, action, q, sort }: Props) {
  return (
    <Form action={action} role="search" className="table-search" preventScrollReset>
      <SearchField label={label} name="q" key={q} defaultValue={q} placeholder={label} maxLength={200} />
      {sort && <input type="hidden" name="sort" value={sort} />}
      <Button type="submit" variant="outline">
        Search
      </Button>
      {q && (
        <Link className="link" to={action} preventScrollReset>
          Clear
        </Link>
      )}
    </Form>
  );
}
