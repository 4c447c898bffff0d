import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { composed, messageToken, NO_OUTSIDE_CONTENT } from './compose.ts';
import { MailError, type Mailer, type Sender } from './port.ts';

export type OutboxFolderOptions = { folder: string; sender: Sender; now?: () => Date };

/**
 * Writes each mail as one `.eml` file instead of sending it: `<UTC time>-<token of the Message-ID>.eml`, so that names
 * sort by time and a repeat of the same key finds its file and writes nothing. Sends of one process run one after
 * the other; the outbox table sees to it that two processes never send the same key at once.
 */
export function createOutboxFolder({ folder, sender, now = () => new Date() }: OutboxFolderOptions): Mailer {
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...NO_OUTSIDE_CONTENT,
  });
  let line: Promise<unknown> = Promise.resolve();
  let lastTime = 0;

  async function write(message: ReturnType<typeof composed>, token: string): Promise<void> {
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
      const message = composed(mail, sender, now());
      const written = line.then(() => write(message, messageToken(mail.idempotencyKey)));
      line = written.catch(() => undefined);
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
      await line;
    },
  };
}

function unwritable(folder: string) {
  return (error: unknown): never => {
    throw new MailError('unavailable', `The outbox folder ${folder} cannot be written`, error);
  };
}
