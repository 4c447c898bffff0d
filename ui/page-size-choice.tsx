import { Link, useLocation } from 'react-router';
import { PAGE_SIZES, type PageSize, pageSizeFrom } from './page-sizes.ts';

interface Props {
  /** where the URL says nothing */
  usual: PageSize;
  keepsScroll: boolean | undefined;
}

/** Links to the same list with more or fewer rows on a page, from its first page on. */
export function PageSizeChoice({ usual, keepsScroll }: Props) {
  const { pathname, search } = useLocation();
  const current = pageSizeFrom(new URLSearchParams(search).get('size')) ?? usual;
  const href = (size: PageSize) => {
    const params = new URLSearchParams(search);
    params.delete('page');
    params.set('size', String(size));
    return `${pathname}?${params}`;
  };
  return (
    <nav className="page-sizes" aria-label="Rows on a page">
      <span aria-hidden="true">Rows</span>
      {PAGE_SIZES.map((size) => (
        <Link
          key={size}
          to={href(size)}
          aria-label={`${size} rows on a page`}
          aria-current={size === current ? 'true' : undefined}
          preventScrollReset={keepsScroll}
        >
          {size}
        </Link>
      ))}
    </nav>
  );
}
