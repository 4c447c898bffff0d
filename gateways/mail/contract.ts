import PostalMime, { type Email } from 'postal-mime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Mail, Mailer } from './port.ts';

/**
 * A mailer whose deliveries can be inspected. Its sender is `Acre Trading Post <post@acre.test>` and its clock is fixed at
 * 2026-11-20 15:04:05 UTC. `sabotage` makes the server unreachable.
 */
export type MailerFixture = {
  mailer: Mailer;
  delivered(): Promise<{ raw: Uint8Array; recipients: string[] }[]>;
  sabotage(): Promise<void>;
  stop(): Promise<void>;
};

export const FIXTURE_TIME = new Date('2026-11-20T15:04:05.000Z');

const mail = (change: Partial<Mail> = {}): Mail => ({
  idempotencyKey: 'outbox:1',
  to: { address: 'buyer@acre.test', name: 'Bea Buyer' },
  subject: 'Your house on Maple Street',
  text: 'Hello Bea',
  html: '<p>Hello <b>Bea</b></p>',
  ...change,
});

/** Contract tests for every mailer implementation. */
export function mailerContract(name: string, open: () => Promise<MailerFixture>): void {
  describe(`mailer: ${name}`, () => {
    let fixture: MailerFixture;
    beforeEach(async () => {
      fixture = await open();
    });
    afterEach(() => fixture.stop());

    const parsed = async (): Promise<Email[]> =>
      Promise.all((await fixture.delivered()).map(({ raw }) => PostalMime.parse(raw)));

    test('delivers sender, recipient, subject, both bodies and the date', async () => {
      const { messageId } = await fixture.mailer.send(mail());
      const [arrived] = await parsed();
      expect(arrived?.from).toMatchObject({ name: 'Acre Trading Post', address: 'post@acre.test' });
      expect(arrived?.to).toMatchObject([{ name: 'Bea Buyer', address: 'buyer@acre.test' }]);
      expect(arrived?.subject).toBe('Your house on Maple Street');
      expect(arrived?.text?.trim()).toBe('Hello Bea');
      expect(arrived?.html).toContain('<b>Bea</b>');
      expect(arrived?.messageId).toBe(messageId);
      expect(arrived?.date).toBe(FIXTURE_TIME.toISOString());
    });

    test('preserves non-ASCII characters, long lines and leading dots', async () => {
      const text = `${'Ünïcødé 家 '.repeat(60)}\n.\n..two\nFrom here`;
      await fixture.mailer.send(mail({ subject: 'Prüfung – Häuser 家', text, html: undefined }));
      const [arrived] = await parsed();
      expect(arrived?.subject).toBe('Prüfung – Häuser 家');
      expect(arrived?.text?.trim()).toBe(text);
      expect(arrived?.html).toBeUndefined();
    });

    test('derives the Message-ID from the key and the domain of the sender', async () => {
      const first = await fixture.mailer.send(mail());
      const again = await fixture.mailer.send(mail());
      const other = await fixture.mailer.send(mail({ idempotencyKey: 'outbox:2' }));
      expect(first.messageId).toMatch(/^<[0-9a-f]{40}@acre\.test>$/);
      expect(again.messageId).toBe(first.messageId);
      expect(other.messageId).not.toBe(first.messageId);
    });

    test('sets the one-click unsubscribe headers', async () => {
      await fixture.mailer.send(mail({ unsubscribeUrl: 'https://acre.test/unsubscribe?token=a.b' }));
      await fixture.mailer.send(mail({ idempotencyKey: 'outbox:2' }));
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

    test('a calendar file is one that calendars act on, and must be for the method that is said', async () => {
      const file = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n';
      await fixture.mailer.send(mail({ calendar: { method: 'REQUEST', file } }));
      const [delivered] = await fixture.delivered();
      expect(Buffer.from(delivered?.raw ?? []).toString()).toMatch(
        /content-type: text\/calendar;[^:]*method=REQUEST/i,
      );
      const [arrived] = await parsed();
      const part = arrived?.attachments.find(({ mimeType }) => mimeType === 'text/calendar');
      expect(part?.method).toBe('REQUEST');
      const content = part?.content;
      const text = typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString();
      // The parser ends lines with a line feed.
      expect(text.replace(/\r?\n/g, '\r\n')).toBe(file);
      await expect(
        fixture.mailer.send(mail({ idempotencyKey: 'outbox:2', calendar: { method: 'CANCEL', file } })),
      ).rejects.toMatchObject({ code: 'invalid' });
    });

    test.each([
      'javascript:alert(1)',
      'https://x.test/ a',
      'https://x.test/>\r\nBcc: evil@x.test',
      'mailto:a@x.test',
    ])('rejects the unsubscribe URL %j', async (unsubscribeUrl) => {
      await expect(fixture.mailer.send(mail({ unsubscribeUrl }))).rejects.toMatchObject({ code: 'invalid' });
      expect(await fixture.delivered()).toHaveLength(0);
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
    ])('rejects the address %j and delivers nothing', async (address) => {
      await expect(fixture.mailer.send(mail({ to: { address } }))).rejects.toMatchObject({
        name: 'MailError',
        code: 'invalid',
        retryable: false,
      });
      expect(await fixture.delivered()).toHaveLength(0);
    });

    test('a line break in the subject or the name cannot inject a header', async () => {
      await fixture.mailer.send(
        mail({
          subject: 'Hi\r\nBcc: evil@x.test',
          to: { address: 'buyer@acre.test', name: 'Bea\r\nCc: evil@x.test' },
        }),
      );
      const [arrived] = await parsed();
      expect(arrived?.subject).toBe('Hi Bcc: evil@x.test');
      expect(arrived?.headers.map(({ key }) => key)).not.toContain('bcc');
      expect(arrived?.cc ?? []).toHaveLength(0);
      expect((await fixture.delivered())[0]?.recipients).toEqual(['buyer@acre.test']);
    });

    test('the name cannot add a second recipient', async () => {
      await fixture.mailer.send(mail({ to: { address: 'buyer@acre.test', name: 'x" <evil@x.test>, "y' } }));
      const [arrived] = await parsed();
      expect(arrived?.to).toHaveLength(1);
      expect((await fixture.delivered())[0]?.recipients).toEqual(['buyer@acre.test']);
    });

    test('a non-ASCII domain is sent as punycode', async () => {
      await fixture.mailer.send(mail({ to: { address: 'Bea@Häuser.test' } }));
      const [arrived] = await fixture.delivered();
      expect(Buffer.from(arrived?.raw ?? []).toString()).toContain('To: Bea@xn--huser-gra.test\r\n');
    });

    test.each([
      ['no subject', { subject: ' \r\n ' }],
      ['no key', { idempotencyKey: '' }],
      ['a body that names a file', { html: { path: '/etc/passwd' } as unknown as string }],
      ['a body that names an address', { text: { href: 'http://127.0.0.1/' } as unknown as string }],
    ])('rejects a mail with %s', async (_, change) => {
      await expect(fixture.mailer.send(mail(change))).rejects.toMatchObject({ code: 'invalid' });
      expect(await fixture.delivered()).toHaveLength(0);
    });

    test('sends many concurrently, each exactly once', async () => {
      const keys = Array.from({ length: 20 }, (_, index) => `outbox:${index}`);
      const sent = await Promise.all(
        keys.map((idempotencyKey) => fixture.mailer.send(mail({ idempotencyKey }))),
      );
      const arrived = await parsed();
      expect(arrived.map(({ messageId }) => messageId).sort()).toEqual(
        sent.map(({ messageId }) => messageId).sort(),
      );
    });

    test('check passes while the server is up, and fails as unavailable when it is down', async () => {
      await expect(fixture.mailer.check()).resolves.toBeUndefined();
      await fixture.sabotage();
      const lost = { name: 'MailError', code: 'unavailable', retryable: true };
      await expect(fixture.mailer.check()).rejects.toMatchObject(lost);
      await expect(fixture.mailer.send(mail())).rejects.toMatchObject(lost);
    });
  });
}
