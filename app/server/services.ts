import { join } from 'node:path';
import type { FileStore } from '#gateways/files/port.ts';
import type { Geocoder } from '#gateways/geocoder/port.ts';
import type { Mailer } from '#gateways/mail/port.ts';
import type { Payments } from '#gateways/payments/port.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/db/database.ts';
import type { EventStreams } from '#platform/events/stream.ts';
import type { Log } from '#platform/log.ts';

/** What one process has open for its whole life. */
export interface Services {
  config: Config;
  log: Log;
  db: Database;
  files: FileStore;
  geocoder: Geocoder;
  mailer: Mailer;
  payments: Payments;
  streams: EventStreams;
}

/** The folder in which mails are written when there is no SMTP server. */
export const mailFolder = (config: Config): string => join(config.dataDir, 'outbox');
