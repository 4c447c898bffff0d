import { join } from 'node:path';
import { workChainSoon } from '#features/chain/jobs.ts';
import { publishOnChange } from '#features/content/jobs.ts';
import { freeImports } from '#features/import-runs/commands/free-imports.ts';
import { watchImportsSoon } from '#features/import-runs/jobs.ts';
import { checkAccountsSoon } from '#features/payments/accounts-job.ts';
import { enqueueOnNewListings } from '#features/saved-searches/jobs.ts';
import { openChain } from '#gateways/chain/open.ts';
import { openContentStore } from '#gateways/content/open.ts';
import { openFileStore } from '#gateways/files/open.ts';
import { openGeocoder } from '#gateways/geocoder/open.ts';
import { openMailer } from '#gateways/mail/open.ts';
import { openMalwareScanner } from '#gateways/malware/open.ts';
import { openNameService } from '#gateways/names/open.ts';
import { openPayments } from '#gateways/payments/open.ts';
import { openStripeSetup } from '#gateways/payments/open-setup.ts';
import { openPayouts } from '#gateways/payouts/open.ts';
import { invalidateOnChange } from '#platform/cache.ts';
import type { Config } from '#platform/config.ts';
import { prepareDataDir } from '#platform/data-dir.ts';
import { openDatabase } from '#platform/db/database.ts';
import { localeWarnings } from '#platform/db/locale.ts';
import { SECOND } from '#platform/durations.ts';
import { EventHub } from '#platform/events/hub.ts';
import { EventStreams } from '#platform/events/stream.ts';
import { openFileLimit, streamLimits } from '#platform/events/stream-limits.ts';
import { type RunningJobs, startJobs } from '#platform/jobs/jobs.ts';
import { createLog } from '#platform/log.ts';
import { measureDatabase, measureQueues } from '#platform/metrics.ts';
import { prepareDemo } from './demo.ts';
import { jobHandlers } from './jobs.ts';
import { migrateUnlimited } from './migrate-unlimited.ts';
import { mailFolder, type Services } from './services.ts';
import { systemContext } from './system-context.ts';

interface RunningServices extends Services {
  /** Starts the background jobs; requests can be handled before. */
  startBackgroundWork(): Promise<void>;
  /** Takes no more jobs, and gives back those that do not end in time; requests can be handled meanwhile. */
  stopBackgroundWork(): Promise<void>;
  /** Closes streams, then jobs, then what they used. */
  close(): Promise<void>;
}

/** Opens all services in order; when a step fails, those already open are closed again in reverse order. */
export async function openServices(config: Config): Promise<RunningServices> {
  const log = createLog(config.logLevel);
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const step of closers.toReversed()) await step();
  };
  prepareDataDir(config.dataDir);
  try {
    const db = await openDatabase({
      url: config.databaseUrl,
      readUrl: config.databaseReadUrl,
      listenUrl: config.databaseListenUrl,
      poolSize: config.databasePoolSize,
      statementTimeout: config.databaseTimeoutSeconds * SECOND,
      onReplicaChange: (state) =>
        state.usable
          ? log.info('the replica is read from')
          : log.warn({ reason: state.reason }, 'the replica is not read from'),
      onEnd(error) {
        log.error({ err: error }, 'the embedded database has ended, and the server with it');
        // Whoever supervises the process starts it again; the next start recovers what was committed.
        process.exit(1);
      },
      onRecovering: () => log.warn('the embedded database is recovering, which can take a while'),
      dataDir: config.dataDir,
    });
    closers.push(() => db.close());
    const steps = await migrateUnlimited(db, config);
    if (steps.length > 0) log.info({ steps }, 'schema migrated');
    await invalidateOnChange(db);
    measureDatabase(db);
    measureQueues(db);
    for (const warning of await localeWarnings(db)) log.warn(warning);
    const files = openFileStore({
      filesUrl: config.filesUrl,
      folder: join(config.dataDir, 'files'),
      secret: config.secret,
      keys: config.filesKeys,
    });
    await prepareDemo({ db, files, config, log });
    const mailer = openMailer({
      smtpUrl: config.smtpUrl,
      mailFrom: config.mailFrom,
      returnPath: config.mailReturnPath,
      folder: mailFolder(config),
    });
    closers.push(() => mailer.close());

    const onFault = (fault: unknown) => log.error({ err: fault }, 'the keys of Stripe could not be read');
    const payments = await openPayments(config, db, { onFault });
    closers.push(async () => payments.close());
    const payouts = await openPayouts(config, db, undefined, onFault);
    closers.push(async () => payouts.close());
    const stripeSetup = openStripeSetup(config, {
      async reload() {
        await payments.reload();
        await payouts.reload();
        await checkAccountsSoon({ db });
      },
    });

    const chain = await openChain(config, log);
    closers.push(() => chain.close());

    const hub = new EventHub(db, log);
    await hub.start();
    closers.push(() => hub.stop());
    const streams = new EventStreams(hub, log, {
      limits: streamLimits(openFileLimit(), { relaxed: config.relaxedLimits }),
    });

    const geocoder = openGeocoder(config, log);
    const malware = openMalwareScanner(config);
    const names = openNameService(config);
    const content = openContentStore(config);
    const ports = { chain, content, files, geocoder, mailer, malware, names, payments, payouts, stripeSetup };
    const services = { config, log, db, streams, ...ports };
    closers.push(async () => streams.closeAll());
    let starting: Promise<RunningJobs> | undefined;
    let stopping: Promise<void> | undefined;
    const startBackgroundWork = async () => {
      const context = (requestId: string) => ({ ...systemContext(services, 'jobs', requestId), ...ports });
      starting = (async () => {
        if (db.embedded) await freeImports(context('imports'));
        const jobs = await startJobs(context, jobHandlers(services));
        for (const enqueue of [
          () => enqueueOnNewListings(context('arrivals')),
          () => publishOnChange(context('content')),
          () => checkAccountsSoon(context('accounts')),
          () => watchImportsSoon(context('imports')),
          () => workChainSoon(context('chain')),
        ])
          if (!stopping) await enqueue();
        return jobs;
      })();
      await starting;
    };
    // A server may be stopped while it starts.
    const stopBackgroundWork = () => {
      stopping ??= (async () => (await starting)?.stop())();
      return stopping;
    };
    closers.push(stopBackgroundWork);
    return { ...services, startBackgroundWork, stopBackgroundWork, close };
  } catch (error) {
    await close();
    throw error;
  }
}
