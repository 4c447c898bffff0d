import { Link } from 'react-router';
import { paths } from '#routing/paths.ts';
import { BrandMark, BrandName } from '#ui/brand-mark.tsx';

/** The logo; leads to the home page. */
export function BrandLink({ brand, to = paths.home() }: { brand: string; to?: string }) {
  return (
    <Link className="brand" to={to}>
      <BrandMark />
      <BrandName name={brand} />
    </Link>
  );
}
