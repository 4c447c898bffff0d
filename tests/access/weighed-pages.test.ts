import { expect, it } from 'vitest';
import { pagesToWeigh } from '../../bench/support/public-pages.ts';

it('every public page is weighed, or excused with a reason', () => {
  const { pages, problems } = pagesToWeigh();
  expect(problems).toEqual([]);
  expect(pages.map(({ name }) => name)).toContain('/property/:id/tour');
});
