import { Link } from 'react-router';
import { paths } from '#app/paths.ts';
import { BrandMark, BrandName } from '#ui/brand-mark.tsx';

/** The sign of the house; leads home. */
export function BrandLink({ brand, to = paths.home() }: { brand: string; to?: string }) {
  return (
    <Link className="brand" to={to}>
      <BrandMark />
      <BrandName name={brand} />
    </Link>
  );
}
