import { expect, it } from 'vitest';
import { isAboutSale } from './live-sale.ts';

it('tells the changes of a sale from those of others and from other news', () => {
  const moved = (sale: string) => ({ type: 'sale.moved', payload: { sale, event: 'pay' } });
  expect(isAboutSale(moved('one'), 'one')).toBe(true);
  expect(isAboutSale(moved('other'), 'one')).toBe(false);
  expect(isAboutSale({ type: 'task.opened', payload: { sale: 'one' } }, 'one')).toBe(false);
  expect(isAboutSale({ type: 'sale.moved', payload: null }, 'one')).toBe(false);
});
