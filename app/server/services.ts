import { join } from 'node:path';
import { openFileStore } from '#gateways/files/open.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { openMailer } from '#gateways/mail/open.ts';
import type { Mailer } from '#gateways/mail/port.ts';
import type { Config } from '#platform/config.ts';
import type { Ctx } from '#platform/context.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { EventHub } from '#platform/events/hub.ts';
import { EventStreams } from '#platform/events/stream.ts';
import { startJobs } from '#platform/jobs/jobs.ts';
import { forgetOnChange } from '#platform/kept.ts';
import { createLog, type Log } from '#platform/log.ts';
import { measurePool } from '#platform/metrics.ts';
import { loadDemoIfWanted } from './demo.ts';
import { jobHandlers } from './jobs.ts';

/** What one process has open for its whole life. */
export interface Services {
  config: Config;
  log: Log;
  db: Database;
  files: FileStore;
  mailer: Mailer;
  streams: EventStreams;
}

export interface RunningServices extends Services {
  /** Ends streams, then jobs, then what they used. */
  close(): Promise<void>;
}

/** The folder in which mails are written when there is no SMTP server. */
export const mailFolder = (config: Config): string => join(config.dataDir, 'outbox');

/** Opens everything in order; what was opened is closed again, last first, when a later step fails. */
export async function openServices(config: Config): Promise<RunningServices> {
  const log = createLog(config.logLevel);
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const step of closing.toReversed()) await step();
  };
  try {
    const db = await openDatabase({
      url: config.databaseUrl,
      readUrl: config.databaseReadUrl,
      dataDir: config.dataDir,
    });
    closing.push(() => db.close());
    const steps = await migrate(db);
    if (steps.length > 0) log.info({ steps }, 'schema migrated');
    await forgetOnChange(db);
    measurePool(db);
    const files = openFileStore({
      filesUrl: config.filesUrl,
      folder: join(config.dataDir, 'files'),
      secret: config.secret,
    });
    await loadDemoIfWanted(db, files, config, log);
    const mailer = openMailer({
      smtpUrl: config.smtpUrl,
      mailFrom: config.mailFrom,
      folder: mailFolder(config),
    });
    closing.push(() => mailer.close());

    const hub = new EventHub(db, log);
    await hub.start();
    closing.push(() => hub.stop());
    const streams = new EventStreams(hub, log);

    const services = { config, log, db, files, mailer, streams };
    const jobs = await startJobs(
      (requestId) => systemContext(services, 'jobs', requestId),
      jobHandlers(services),
    );
    closing.push(() => jobs.stop());
    closing.push(async () => streams.closeAll());
    return { ...services, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The context of work that no request asked for: jobs, commands, the start of the process. */
export function systemContext(
  { db, config, log }: Pick<Services, 'db' | 'config' | 'log'>,
  name: string,
  requestId: string = name,
): Ctx {
  return { db, config, log, actor: { kind: 'system', name }, requestId, ip: null, now: () => new Date() };
}
