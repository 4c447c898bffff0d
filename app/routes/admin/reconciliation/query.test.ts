import { expect, it } from 'vitest';
import { parseReconciliationQuery, toReconciliationQuery } from './query.ts';

const parse = (query: string) => parseReconciliationQuery(new URLSearchParams(query));

it('reads filters, cursor and drawer, and gives the list back without them', () => {
  const query = parse('state=all&kind=fee_drift&age=7&before=abc&details=one&do=post');
  expect(query).toMatchObject({ tab: 'breaks', state: 'all', kind: 'fee_drift', age: 7, action: 'post' });
  expect(toReconciliationQuery(query)).toEqual({ state: 'all', kind: 'fee_drift', age: 7, before: 'abc' });
});

it.each(['tab=x&state=y&kind=z&age=8&do=q&page=-1', 'page=NaN', 'age=', ''])(
  'ignores what is unknown: %s',
  (query) => {
    expect(parse(query)).toMatchObject({
      tab: 'breaks',
      state: 'open',
      kind: null,
      age: null,
      action: null,
      page: 1,
    });
  },
);
