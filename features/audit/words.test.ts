import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { actionInWords, recordInWords } from './labels.ts';
import { actionWords, recordWords } from './words.ts';

it('has the names under which changes are written', () => {
  expect(recordInWords('homepage')).toBe('Homepage');
  expect(recordInWords('chain_transaction')).toBe('Transaction on the chain');
  expect(actionInWords('token.claim')).toBe('Had the completion token sent to a wallet of their own');
});

it('has words for whatever is written, which the compiler demands', () => {
  const write = (ctx: Ctx) => [
    audit(ctx, { action: 'homepage.save', entity: 'homepage', entityId: '1' }),
    // @ts-expect-error: without words nobody could search for it
    audit(ctx, { action: 'homepage.paint', entity: 'homepage', entityId: '1' }),
    // @ts-expect-error
    audit(ctx, { action: 'homepage.save', entity: 'home_page', entityId: '1' }),
  ];
  expect(write).toBeTypeOf('function');
});

it('has words for what the database writes itself', async () => {
  const folder = 'platform/db/migrations';
  const written: string[][] = [];
  for (const file of await readdir(folder)) {
    const text = await readFile(`${folder}/${file}`, 'utf8');
    for (const [insert] of text.matchAll(/insert into audit_log[^;]*/g))
      for (const [, action = '', entity = ''] of insert.matchAll(/'([a-z_]+\.[a-z_]+)',\s*'([a-z_]+)'/g))
        written.push([action, entity]);
  }
  expect(written).toContainEqual(['ownership.withdraw', 'property']);
  for (const [action = '', entity = ''] of written) {
    expect(Object.keys(actionWords)).toContain(action);
    expect(Object.keys(recordWords)).toContain(entity);
  }
});
