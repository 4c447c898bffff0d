import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { parseSender } from './address.ts';
import { FIXTURE_TIME, type MailerFixture, mailerContract } from './contract.ts';
import { openMailer } from './open.ts';
import type { Mail } from './port.ts';
import { createSmtpMailer } from './smtp.ts';

const sender = parseSender('Acre Trading Post <post@acre.test>');
const mail: Mail = {
  idempotencyKey: 'outbox:1',
  to: { address: 'buyer@acre.test' },
  subject: 'Hello',
  text: 'Hello',
};

type Arrived = { raw: Uint8Array; recipients: string[] };

/** Starts a real SMTP server in this process. */
async function startServer(options: SMTPServerOptions = {}) {
  const arrived: Arrived[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    closeTimeout: 50,
    onData(stream, session, done) {
      const chunks: Uint8Array[] = [];
      stream.on('data', (chunk: Uint8Array) => chunks.push(chunk));
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        arrived.push({ raw: Buffer.concat(chunks), recipients });
        done();
      });
    },
    ...options,
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { arrived, port, stop };
}

mailerContract('SMTP', async (): Promise<MailerFixture> => {
  const server = await startServer();
  const mailer = createSmtpMailer({
    url: `smtp://127.0.0.1:${server.port}`,
    sender,
    now: () => FIXTURE_TIME,
    timeoutMs: 2_000,
  });
  return {
    mailer,
    delivered: async () => server.arrived,
    sabotage: () => server.stop(),
    async stop() {
      await mailer.close();
      await server.stop();
    },
  };
});

describe('SMTP specifics', () => {
  const open: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  async function mailerFor(options: SMTPServerOptions, credentials = '') {
    const server = await startServer(options);
    const mailer = createSmtpMailer({
      url: `smtp://${credentials}127.0.0.1:${server.port}`,
      sender,
      timeoutMs: 2_000,
    });
    open.push(server.stop, mailer.close);
    return { mailer, server };
  }

  const answering = (responseCode: number): SMTPServerOptions => ({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error('No'), { responseCode })),
  });

  test('what cannot be delivered comes back to the sender, or to the return path where there is one', async () => {
    const from: string[] = [];
    const server = await startServer({
      onMailFrom: ({ address }, _session, done) => {
        from.push(address);
        done();
      },
    });
    open.push(server.stop);
    const smtpUrl = `smtp://127.0.0.1:${server.port}`;
    for (const returnPath of [undefined, 'bounces@acre.test']) {
      const mailer = openMailer({ smtpUrl, mailFrom: 'post@acre.test', returnPath, folder: '/nowhere' });
      open.push(mailer.close);
      await mailer.send(mail);
    }
    expect(from).toEqual(['post@acre.test', 'bounces@acre.test']);
  });

  test('an unknown mailbox is rejected permanently', async () => {
    const { mailer } = await mailerFor(answering(550));
    await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'refused', retryable: false });
  });

  test('a full mailbox can be retried', async () => {
    const { mailer } = await mailerFor(answering(452));
    await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });

  test('percent-encoded credentials are decoded, and wrong ones are reported as such', async () => {
    const seen: unknown[] = [];
    const options: SMTPServerOptions = {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth(auth, _session, done) {
        seen.push(auth.username, auth.password);
        if (auth.password === 'p@ss/word') done(null, { user: 'acre' });
        else done(Object.assign(new Error('Wrong'), { responseCode: 535 }));
      },
    };
    const right = await mailerFor(options, 'acre:p%40ss%2Fword@');
    await right.mailer.send(mail);
    expect(seen).toEqual(['acre', 'p@ss/word']);
    const wrong = await mailerFor(options, 'acre:wrong@');
    await expect(wrong.mailer.send(mail)).rejects.toMatchObject({ code: 'auth' });
    expect(wrong.server.arrived).toHaveLength(0);
  });

  test.each(['http://mail.test', 'mail.test:25', 'smtp://', ''])(
    'the URL %j is rejected with the name of its variable',
    (url) => {
      expect(() => createSmtpMailer({ url, sender })).toThrow(/SMTP_URL must look like/);
    },
  );
});
