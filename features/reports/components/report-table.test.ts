import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { HiddenTable } from './report-table.tsx';

it('the table beside a chart names its rows as it names its columns', () => {
  const table = {
    id: 'funnel',
    title: 'From view to sale',
    columns: [
      { header: 'Step', kind: 'text' as const },
      { header: 'Number', kind: 'count' as const },
    ],
    rows: [
      ['Views', 1_200],
      ['Sales', 3],
    ],
  };
  const html = renderToStaticMarkup(createElement(HiddenTable, { table }));
  expect(html).toContain('<th scope="col">Step</th><th scope="col">Number</th>');
  expect(html).toContain('<tr><th scope="row">Views</th><td>1,200</td></tr>');
  expect(html).toContain('<tr><th scope="row">Sales</th><td>3</td></tr>');
});
