import { Pagination } from '#ui/pagination.tsx';

interface Props {
  page: number;
  /** there is another page */
  more: boolean;
  href: (page: number) => string;
}

/** The pages of a list that is not counted: those before, this one, and the next. */
export const PagesOf = ({ page, more, href }: Props) => (
  <Pagination page={page} pages={more ? page + 1 : page} href={href} />
);
