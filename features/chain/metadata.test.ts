import { expect, it } from 'vitest';
import { tokenKey, tokenMetadata } from './metadata.ts';

it('says what it evidences, and that it is no title', () => {
  const facts = { name: 'N', description: 'D', kind: 'property', anchorHash: 'ab'.repeat(32), cid: 'bafy' };
  expect(JSON.parse(tokenMetadata(facts))).toMatchObject({
    name: 'N',
    description: 'D',
    notice: 'This token evidences a document. It is not legal title to a property.',
    document: { sha256: 'ab'.repeat(32), cid: 'bafy' },
  });
  expect(tokenMetadata({ ...facts, cid: null })).not.toContain('cid');
  expect(tokenMetadata(facts)).toBe(tokenMetadata({ ...facts }));
});

it('has a key of its own for each document and kind', () => {
  expect(tokenKey('a', 'property')).not.toBe(tokenKey('a', 'completion'));
  expect(tokenKey('a', 'property')).toMatch(/^0x[0-9a-f]{64}$/);
});
