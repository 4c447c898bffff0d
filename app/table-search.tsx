import { Form, Link } from 'react-router';
import { Button } from '#ui/button.tsx';
import { SearchField } from '#ui/search-field.tsx';

interface Props {
  label: string;
  /** where the table stands, without a query */
  action: string;
  q: string;
  /** the order of now, as in the address */
  sort: string | undefined;
}

/** Looks for words in a table: a form of the address, so that what was found can be shared, and needs no scripts. */
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
