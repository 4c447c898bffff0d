import { join } from 'node:path';
import type { Ports } from '#gateways/ports.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/db/database.ts';
import type { EventStreams } from '#platform/events/stream.ts';
import type { Log } from '#platform/log.ts';

/** The services that a process keeps open for its whole lifetime. */
export interface Services extends Ports {
  config: Config;
  log: Log;
  db: Database;
  streams: EventStreams;
}

/** The folder that mails are written to when there is no SMTP server. */
export const mailFolder = (config: Config): string => join(config.dataDir, 'outbox');
