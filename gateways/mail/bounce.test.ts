import { expect, it } from 'vitest';
import { bounceOf } from '#tests/support/fixtures/bounce.ts';
import { parseBounce } from './bounce.ts';

const messageId = `<${'0a'.repeat(20)}@acre.test>`;
const parse = (mail: string) => parseBounce(Buffer.from(mail));

it.each(['message/rfc822', 'text/rfc822-headers', 'message/global-headers'])(
  'reads which mail came back and why, with the mail as %s',
  async (original) => {
    expect(await parse(bounceOf({ messageId, original }))).toEqual({
      messageId,
      reason: '550 5.1.1 <bea@example.test>: Recipient address rejected',
    });
  },
);

it('reads the status where the mail system says nothing more', async () => {
  expect(await parse(bounceOf({ messageId, diagnostic: '' }))).toEqual({ messageId, reason: '5.1.1' });
});

it('cuts a long reason, and keeps it on one line', async () => {
  const said = await parse(bounceOf({ messageId, diagnostic: `smtp; 550 a\0b ${'x'.repeat(2_000)}` }));
  expect(said?.reason).toMatch(/^550 a b x+$/);
  expect(said?.reason).toHaveLength(500);
});

it.each(['delayed', 'delivered', 'relayed', 'expanded'])('takes no mail back that is %s', async (action) => {
  expect(await parse(bounceOf({ messageId, action }))).toBeNull();
});

it.each([
  ['a mail of somebody else', bounceOf({ messageId: '<abc@example.test>' })],
  ['a mail without an id', bounceOf({ messageId: '' })],
  ['an automatic answer', 'From: bea@example.test\r\nSubject: Out of office\r\n\r\nAction: failed\r\n'],
  ['nothing', ''],
  ['no text', '\0\x01\xff'.repeat(1_000)],
])('ignores %s', async (_, mail) => {
  expect(await parse(mail)).toBeNull();
});
