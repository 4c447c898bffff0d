import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { composeMessage, messageToken, NO_OUTSIDE_CONTENT } from './compose.ts';
import { MailError, type Mailer, type Sender } from './port.ts';

type OutboxFolderOptions = { folder: string; sender: Sender; now?: () => Date };

/**
 * Writes each mail to an `.eml` file instead of sending it: `<UTC time>-<token of the Message-ID>.eml`, so that names sort
 * by time and repeating a key finds the existing file and writes nothing. Sends within a process run one at a time; the
 * outbox table keeps two processes from sending the same key at once.
 */
export function createOutboxFolderMailer({
  folder,
  sender,
  now = () => new Date(),
}: OutboxFolderOptions): Mailer {
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...NO_OUTSIDE_CONTENT,
  });
  let queue: Promise<unknown> = Promise.resolve();
  let lastTime = 0;

  async function write(message: ReturnType<typeof composeMessage>, token: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).some((name) => name.endsWith(`-${token}.eml`))) return;
    const { message: eml } = await composer.sendMail(message);
    // Two mails of the same millisecond keep their order.
    lastTime = Math.max(now().getTime(), lastTime + 1);
    const stamp = new Date(lastTime).toISOString().replace(/[-:.]/g, '');
    const temporary = join(folder, `.${token}.part`);
    await writeFile(temporary, eml as Buffer, { flush: true });
    await rename(temporary, join(folder, `${stamp}-${token}.eml`));
  }

  return {
    async send(mail) {
      const message = composeMessage(mail, sender, now());
      const written = queue.then(() => write(message, messageToken(mail.idempotencyKey)));
      queue = written.catch(() => undefined);
      await written.catch(unwritable(folder));
      return { messageId: message.messageId };
    },
    async check() {
      const probe = join(folder, '.check.part');
      await mkdir(folder, { recursive: true })
        .then(() => writeFile(probe, ''))
        .then(() => rm(probe))
        .catch(unwritable(folder));
    },
    async close() {
      await queue;
    },
  };
}

function unwritable(folder: string) {
  return (error: unknown): never => {
    throw new MailError('unavailable', `The outbox folder ${folder} cannot be written`, error);
  };
}
