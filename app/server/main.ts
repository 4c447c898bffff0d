import { DemoAccountsOpen } from '#demo/accounts.ts';
import { DemoRefused } from '#demo/load.ts';
import { InvalidEnvironment, readConfig } from '#platform/config.ts';
import { SECOND } from '#platform/durations.ts';
import { DatabaseInUse } from '#platform/errors.ts';
import { connectionLimit, openFileLimit } from '#platform/events/stream-limits.ts';
import { Readiness } from '#platform/http/health.ts';
import {
  AddressUnavailable,
  KEEP_ALIVE_OF_BALANCER_MS,
  listen,
  listenForMetrics,
  stopOnSignal,
} from '#platform/http/serve.ts';
import { openServices } from './open-services.ts';
import { startupMessage } from './startup-message.ts';
import { createWeb } from './web.ts';

/** How long running requests may take once nothing new is accepted. */
const CLOSE_MS = 3.5 * SECOND;
/** How long after SIGTERM they are cut at the latest, which leaves one and a half for the services before the process is ended. */
const CUT_MS = 8 * SECOND;

// The process: open all services, listen, and shut down in reverse order on a signal.
try {
  const config = readConfig();
  const services = await openServices(config);
  const { log } = services;
  const readiness = new Readiness(services.db);
  const address = {
    port: config.port,
    host: config.host,
    maxConnections: connectionLimit(openFileLimit()),
    ...(config.behindProxy && { keepAliveMs: KEEP_ALIVE_OF_BALANCER_MS }),
  };
  const web = await listen(createWeb(services, readiness).fetch, address).catch(async (error: unknown) => {
    await services.close();
    throw error;
  });
  const metrics =
    config.metricsPort === undefined
      ? null
      : await listenForMetrics({ port: config.metricsPort, host: config.metricsHost });
  const drainMs = config.drainSeconds * SECOND;
  stopOnSignal(log, {
    drainMs,
    leave() {
      readiness.stop();
      // Not only once the balancer has noticed: both waits together are longer than a process may take to stop. What fails
      // is reported when the services are closed.
      services.stopBackgroundWork().catch(() => undefined);
    },
    async stop() {
      services.streams.closeAll();
      const patienceMs = Math.min(CLOSE_MS, CUT_MS - drainMs);
      await Promise.all([web.close(patienceMs), metrics?.close(patienceMs)]);
      await services.close();
    },
  });
  log.info({ address: config.publicUrl }, 'ready');
  // On standard error, because standard output holds the logs.
  process.stderr.write(startupMessage(config, services));
  await services.startBackgroundWork();
} catch (error) {
  const expected = [
    InvalidEnvironment,
    DatabaseInUse,
    AddressUnavailable,
    DemoRefused,
    DemoAccountsOpen,
  ].some((kind) => error instanceof kind);
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`${expected ? message : (stack ?? message)}\n`);
  process.exit(1);
}
