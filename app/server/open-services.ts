import { join } from 'node:path';
import { openFileStore } from '#gateways/files/open.ts';
import { openGeocoder } from '#gateways/geocoder/open.ts';
import { openMailer } from '#gateways/mail/open.ts';
import { openPayments } from '#gateways/payments/open.ts';
import type { Config } from '#platform/config.ts';
import { openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { EventHub } from '#platform/events/hub.ts';
import { EventStreams } from '#platform/events/stream.ts';
import { startJobs } from '#platform/jobs/jobs.ts';
import { forgetOnChange } from '#platform/kept.ts';
import { createLog } from '#platform/log.ts';
import { measurePool } from '#platform/metrics.ts';
import { loadDemoIfWanted } from './demo.ts';
import { jobHandlers } from './jobs.ts';
import { wakeOnArrivals } from './saved-search-jobs.ts';
import { mailFolder, type Services } from './services.ts';
import { systemContext } from './system-context.ts';

export interface RunningServices extends Services {
  /** Begins the background work; requests can be answered before. */
  work(): Promise<void>;
  /** Ends streams, then jobs, then what they used. */
  close(): Promise<void>;
}

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
    await loadDemoIfWanted({ db, files, config, log });
    const mailer = openMailer({
      smtpUrl: config.smtpUrl,
      mailFrom: config.mailFrom,
      folder: mailFolder(config),
    });
    closing.push(() => mailer.close());

    const payments = await openPayments(config, db);

    const hub = new EventHub(db, log);
    await hub.start();
    closing.push(() => hub.stop());
    const streams = new EventStreams(hub, log);

    const geocoder = openGeocoder(config, log);
    const services = { config, log, db, files, geocoder, mailer, payments, streams };
    closing.push(async () => streams.closeAll());
    const work = async () => {
      const context = (requestId: string) => systemContext(services, 'jobs', requestId);
      const jobs = startJobs(context, jobHandlers(services));
      closing.push(async () => (await jobs).stop());
      await jobs;
      await wakeOnArrivals(context('arrivals'));
    };
    return { ...services, work, close };
  } catch (error) {
    await close();
    throw error;
  }
}
