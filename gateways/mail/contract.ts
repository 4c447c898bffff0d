import PostalMime, { type Email } from 'postal-mime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Mail, Mailer } from './port.ts';

/**
 * A mailer with a view of what arrived. Its sender is `Acre Trading Post <post@acre.test>` and its clock stands at
 * 2026-11-20 15:04:05 UTC. `sabotage` makes the other side unreachable.
 */
export type MailerBench = {
  mailer: Mailer;
  delivered(): Promise<{ raw: Uint8Array; recipients: string[] }[]>;
  sabotage(): Promise<void>;
  stop(): Promise<void>;
};

export const BENCH_TIME = new Date('2026-11-20T15:04:05.000Z');

const mail = (change: Partial<Mail> = {}): Mail => ({
  idempotencyKey: 'outbox:1',
  to: { address: 'buyer@acre.test', name: 'Bea Buyer' },
  subject: 'Your house on Maple Street',
  text: 'Hello Bea',
  html: '<p>Hello <b>Bea</b></p>',
  ...change,
});

/** What every mailer does, whatever lies behind it. */
export function mailerContract(name: string, open: () => Promise<MailerBench>): void {
  describe(`mailer: ${name}`, () => {
    let bench: MailerBench;
    beforeEach(async () => {
      bench = await open();
    });
    afterEach(() => bench.stop());

    const parsed = async (): Promise<Email[]> =>
      Promise.all((await bench.delivered()).map(({ raw }) => PostalMime.parse(raw)));

    test('delivers sender, recipient, subject, both bodies and the date', async () => {
      const { messageId } = await bench.mailer.send(mail());
      const [arrived] = await parsed();
      expect(arrived?.from).toMatchObject({ name: 'Acre Trading Post', address: 'post@acre.test' });
      expect(arrived?.to).toMatchObject([{ name: 'Bea Buyer', address: 'buyer@acre.test' }]);
      expect(arrived?.subject).toBe('Your house on Maple Street');
      expect(arrived?.text?.trim()).toBe('Hello Bea');
      expect(arrived?.html).toContain('<b>Bea</b>');
      expect(arrived?.messageId).toBe(messageId);
      expect(arrived?.date).toBe(BENCH_TIME.toISOString());
    });

    test('keeps letters outside ASCII, long lines and dots at the start of a line', async () => {
      const text = `${'Ünïcødé 家 '.repeat(60)}\n.\n..two\nFrom here`;
      await bench.mailer.send(mail({ subject: 'Prüfung – Häuser 家', text, html: undefined }));
      const [arrived] = await parsed();
      expect(arrived?.subject).toBe('Prüfung – Häuser 家');
      expect(arrived?.text?.trim()).toBe(text);
      expect(arrived?.html).toBeUndefined();
    });

    test('derives the Message-ID from the key and the domain of the sender', async () => {
      const first = await bench.mailer.send(mail());
      const again = await bench.mailer.send(mail());
      const other = await bench.mailer.send(mail({ idempotencyKey: 'outbox:2' }));
      expect(first.messageId).toMatch(/^<[0-9a-f]{40}@acre\.test>$/);
      expect(again.messageId).toBe(first.messageId);
      expect(other.messageId).not.toBe(first.messageId);
    });

    test('says where one press ends mails of this kind', async () => {
      await bench.mailer.send(mail({ unsubscribeUrl: 'https://acre.test/unsubscribe?token=a.b' }));
      await bench.mailer.send(mail({ idempotencyKey: 'outbox:2' }));
      const headers = (await parsed()).map((arrived) =>
        Object.fromEntries(arrived.headers.map(({ key, value }) => [key, value])),
      );
      expect(headers.map((one) => one['list-unsubscribe']).sort()).toEqual([
        '<https://acre.test/unsubscribe?token=a.b>',
        undefined,
      ]);
      expect(
        headers.filter((one) => one['list-unsubscribe-post'] === 'List-Unsubscribe=One-Click'),
      ).toHaveLength(1);
    });

    test.each([
      'javascript:alert(1)',
      'https://x.test/ a',
      'https://x.test/>\r\nBcc: evil@x.test',
      'mailto:a@x.test',
    ])('refuses the address to unsubscribe at: %j', async (unsubscribeUrl) => {
      await expect(bench.mailer.send(mail({ unsubscribeUrl }))).rejects.toMatchObject({ code: 'invalid' });
      expect(await bench.delivered()).toHaveLength(0);
    });

    test.each([
      'a@x.test\r\nBcc: evil@x.test',
      'a@x.test\nRCPT TO:<evil@x.test>',
      'team: a@x.test, evil@x.test;',
      'a@x.test, evil@x.test',
      'a@x.test evil@x.test',
      'Name <a@x.test>',
      '"a b"@x.test',
      'a(comment)@x.test',
      'a\u0000@x.test',
      'a@x..test',
      'a@-x.test',
      'a@x.test%0aevil',
      'a..b@x.test',
      `${'a'.repeat(65)}@x.test`,
      'no-at-sign',
      '@x.test',
      'a@',
      '',
    ])('refuses the address %j and delivers nothing', async (address) => {
      await expect(bench.mailer.send(mail({ to: { address } }))).rejects.toMatchObject({
        name: 'MailError',
        code: 'invalid',
        retryable: false,
      });
      expect(await bench.delivered()).toHaveLength(0);
    });

    test('a line break in the subject or the name starts no header', async () => {
      await bench.mailer.send(
        mail({
          subject: 'Hi\r\nBcc: evil@x.test',
          to: { address: 'buyer@acre.test', name: 'Bea\r\nCc: evil@x.test' },
        }),
      );
      const [arrived] = await parsed();
      expect(arrived?.subject).toBe('Hi Bcc: evil@x.test');
      expect(arrived?.headers.map(({ key }) => key)).not.toContain('bcc');
      expect(arrived?.cc ?? []).toHaveLength(0);
      expect((await bench.delivered())[0]?.recipients).toEqual(['buyer@acre.test']);
    });

    test('the name cannot add a second recipient', async () => {
      await bench.mailer.send(mail({ to: { address: 'buyer@acre.test', name: 'x" <evil@x.test>, "y' } }));
      const [arrived] = await parsed();
      expect(arrived?.to).toHaveLength(1);
      expect((await bench.delivered())[0]?.recipients).toEqual(['buyer@acre.test']);
    });

    test('a domain outside ASCII travels as punycode', async () => {
      await bench.mailer.send(mail({ to: { address: 'Bea@Häuser.test' } }));
      const [arrived] = await bench.delivered();
      expect(Buffer.from(arrived?.raw ?? []).toString()).toContain('To: Bea@xn--huser-gra.test\r\n');
    });

    test.each([
      ['no subject', { subject: ' \r\n ' }],
      ['no key', { idempotencyKey: '' }],
      ['a body that names a file', { html: { path: '/etc/passwd' } as unknown as string }],
      ['a body that names an address', { text: { href: 'http://127.0.0.1/' } as unknown as string }],
    ])('refuses a mail with %s', async (_, change) => {
      await expect(bench.mailer.send(mail(change))).rejects.toMatchObject({ code: 'invalid' });
      expect(await bench.delivered()).toHaveLength(0);
    });

    test('sends many at once, each exactly once', async () => {
      const keys = Array.from({ length: 20 }, (_, index) => `outbox:${index}`);
      const sent = await Promise.all(
        keys.map((idempotencyKey) => bench.mailer.send(mail({ idempotencyKey }))),
      );
      const arrived = await parsed();
      expect(arrived.map(({ messageId }) => messageId).sort()).toEqual(
        sent.map(({ messageId }) => messageId).sort(),
      );
    });

    test('check passes while the other side is there, and fails as unavailable when it is not', async () => {
      await expect(bench.mailer.check()).resolves.toBeUndefined();
      await bench.sabotage();
      const lost = { name: 'MailError', code: 'unavailable', retryable: true };
      await expect(bench.mailer.check()).rejects.toMatchObject(lost);
      await expect(bench.mailer.send(mail())).rejects.toMatchObject(lost);
    });
  });
}
